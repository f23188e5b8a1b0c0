/**
 * Annotation processor that generates the driver's delegating classes. Used at build time only, in the compiler's thread. Input:
 * the interfaces of {@code java.sql} in the release for which the driver is compiled. Output: abstract classes that delegate every
 * method.
 */
@NullMarked
package io.multimed.jdbc.generator;

import org.jspecify.annotations.NullMarked;
