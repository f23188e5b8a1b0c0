/**
 * The conditions that must hold in a database of TPC-C after a run on any system.
 *
 * <p>In: a connection, the outcomes reported to clients. Out: which conditions hold, and what contradicts the others. The
 * calling thread does everything.
 */
@NullMarked
package io.multimed.bench.tpcc.check;

import org.jspecify.annotations.NullMarked;
