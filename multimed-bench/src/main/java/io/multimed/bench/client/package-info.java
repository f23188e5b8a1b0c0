/**
 * What clients of every benchmark have in common: statements in one line, transactions that are begun again when they were
 * refused, what they have been told.
 *
 * <p>In: a connection's URL, the work of one transaction. Out: SQL, and what became of it in a recording. Each client's thread
 * has its own; what they were told is counted together.
 */
@NullMarked
package io.multimed.bench.client;

import org.jspecify.annotations.NullMarked;
