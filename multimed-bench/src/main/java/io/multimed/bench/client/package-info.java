/**
 * The common parts of every benchmark's clients: statements in one line, repetition of transactions that were refused, and
 * counts of the outcomes reported to clients.
 *
 * <p>In: a connection's URL, the work of one transaction. Out: SQL, and each transaction's outcome in a recording. Each
 * client's thread has its own; the outcomes of all clients are counted together.
 */
@NullMarked
package io.multimed.bench.client;

import org.jspecify.annotations.NullMarked;
