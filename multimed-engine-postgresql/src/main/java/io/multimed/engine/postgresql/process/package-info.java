/**
 * One engine as operating-system processes: which user they run as, on which cores, how they are started, signalled and ended,
 * and that they never outlive Multimed.
 *
 * <p>In: a command line and where it is to run. Out: {@link io.multimed.engine.postgresql.process.EngineProcess}. Calls block
 * where their documentation states it; they may come from any thread, and none of them is on the path of a query.
 */
@NullMarked
package io.multimed.engine.postgresql.process;

import org.jspecify.annotations.NullMarked;
