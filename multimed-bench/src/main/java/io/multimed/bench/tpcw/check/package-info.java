/**
 * The invariants that must hold in a database of TPC-W after a run on any system.
 *
 * <p>In: connections to the nodes, the database's state before, the outcomes reported to clients. Out: which invariants hold,
 * and what contradicts the others. The calling thread does everything.
 */
@NullMarked
package io.multimed.bench.tpcw.check;

import org.jspecify.annotations.NullMarked;
