/**
 * Named prepared statements, compared with PostgreSQL's.
 *
 * <p>In: a seed. Out: the first step at which a client of Multimed is answered otherwise than a client of PostgreSQL. JUnit's
 * threads.
 */
@NullMarked
package io.multimed.tests.prepared;

import org.jspecify.annotations.NullMarked;
