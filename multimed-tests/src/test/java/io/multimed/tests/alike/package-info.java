/**
 * Reads that are executed once for several clients, compared with PostgreSQL's answers.
 *
 * <p>In: a seed. Out: the first wrong answer. JUnit's threads.
 */
@NullMarked
package io.multimed.tests.alike;

import org.jspecify.annotations.NullMarked;
