package io.multimed.jdbc.generator;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a package into which delegating classes are generated. */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.PACKAGE)
public @interface GenerateDelegates {
    /** Returns the simple names of the interfaces of {@code java.sql} that get a delegating class each. */
    String[] value();
}
