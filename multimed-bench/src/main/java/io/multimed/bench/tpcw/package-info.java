/**
 * TPC-W at database level: loaded once, run by every system in turn on a fresh copy, checked, written.
 *
 * <p>In: options. Out: files of results and a table. The calling thread does everything but the clients' work; an interrupt
 * ends it early, with what was measured written and nothing left running.
 */
@NullMarked
package io.multimed.bench.tpcw;

import org.jspecify.annotations.NullMarked;
