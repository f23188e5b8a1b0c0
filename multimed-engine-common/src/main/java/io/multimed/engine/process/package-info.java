/**
 * Engines as operating-system processes, whatever their kind: which user they run as, on which cores, how they are started and
 * signalled, what they write to their logs, and that they never outlive Multimed.
 *
 * <p>In: a command line and where it is to run. Out: {@link io.multimed.engine.process.LeashedProcess}. Calls block where their
 * documentation states it; they may come from any thread, and none of them is on the path of a query.
 */
@NullMarked
package io.multimed.engine.process;

import org.jspecify.annotations.NullMarked;
