/**
 * The clients of TPC-W: the choice of the next interaction, and the effects of each on the database.
 *
 * <p>In: a mix, a scale, a seed, a connection. Out: SQL on the connection, one transaction for each interaction. One thread for
 * each client, and nothing is shared between them.
 */
@NullMarked
package io.multimed.bench.tpcw.workload;

import org.jspecify.annotations.NullMarked;
