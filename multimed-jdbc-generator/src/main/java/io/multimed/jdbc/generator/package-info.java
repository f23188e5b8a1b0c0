/**
 * Build time only. In: the interfaces of {@code java.sql} as the release that the driver is compiled for declares them.
 * Out: abstract classes that delegate every method. Runs in the compiler's thread, as an annotation processor.
 */
@NullMarked
package io.multimed.jdbc.generator;

import org.jspecify.annotations.NullMarked;
