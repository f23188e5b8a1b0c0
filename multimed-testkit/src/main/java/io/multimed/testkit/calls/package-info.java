/** Counts the method calls that a piece of work takes, by the JDK's method tracing. */
@NullMarked
package io.multimed.testkit.calls;

import org.jspecify.annotations.NullMarked;
