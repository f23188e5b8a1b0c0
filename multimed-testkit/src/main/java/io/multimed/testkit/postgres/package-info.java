/**
 * A PostgreSQL of one's own: initialised, started and removed by a test, without product code.
 *
 * <p>In: a directory of binaries and settings. Out: an address. The calling thread does everything.
 */
@NullMarked
package io.multimed.testkit.postgres;

import org.jspecify.annotations.NullMarked;
