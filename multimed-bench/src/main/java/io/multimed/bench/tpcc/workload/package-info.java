/**
 * The clients of TPC-C: which transaction comes next, and what each does to the database.
 *
 * <p>In: a mix, a scale, a seed, a connection. Out: SQL that every engine understands. One thread for each client, and nothing is
 * shared between them.
 */
@NullMarked
package io.multimed.bench.tpcc.workload;

import org.jspecify.annotations.NullMarked;
