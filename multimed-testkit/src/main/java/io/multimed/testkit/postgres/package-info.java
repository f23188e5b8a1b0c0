/**
 * A PostgreSQL for one test: initialised, started and removed by the test, without product code.
 *
 * <p>In: a directory of binaries and settings. Out: an address. The calling thread does everything.
 */
@NullMarked
package io.multimed.testkit.postgres;

import org.jspecify.annotations.NullMarked;
