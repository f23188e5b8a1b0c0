/**
 * The clients of TPC-C: the choice of the next transaction, and the effects of each on the database.
 *
 * <p>In: a mix, a scale, a seed, a connection. Out: SQL that every engine understands. One thread for each client, and nothing
 * is shared between them.
 */
@NullMarked
package io.multimed.bench.tpcc.workload;

import org.jspecify.annotations.NullMarked;
