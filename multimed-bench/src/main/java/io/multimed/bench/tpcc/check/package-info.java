/**
 * What must hold in a database of TPC-C after a run, whatever ran it.
 *
 * <p>In: a connection, what clients were told. Out: which conditions hold, and what contradicts the others. The calling thread
 * does everything.
 */
@NullMarked
package io.multimed.bench.tpcc.check;

import org.jspecify.annotations.NullMarked;
