/**
 * What must hold in a database of TPC-W after a run, whatever ran it.
 *
 * <p>In: connections to the nodes, what the database was before, what clients were told. Out: which invariants hold, and what
 * contradicts the others. The calling thread does everything.
 */
@NullMarked
package io.multimed.bench.tpcw.check;

import org.jspecify.annotations.NullMarked;
