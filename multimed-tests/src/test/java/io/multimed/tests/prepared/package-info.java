/**
 * Named prepared statements, compared with PostgreSQL's.
 *
 * <p>In: a seed. Out: the first step at which the answer of Multimed differs from that of PostgreSQL. JUnit's threads.
 */
@NullMarked
package io.multimed.tests.prepared;

import org.jspecify.annotations.NullMarked;
