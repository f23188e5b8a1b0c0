/**
 * The way back of a commit: what has been heard from the Master, what each Satellite has applied, who waits for it.
 *
 * <p>In: the relay thread calls {@link io.multimed.core.propagation.MasterLog} for every commit record, before it
 * confirms it to the Master; feeds call {@code ComputationalNode.applied}. Out: the floor of a read, and wake-ups of
 * waiting readers through {@link io.multimed.core.propagation.FreshnessGate}.
 */
@NullMarked
package io.multimed.core.propagation;

import org.jspecify.annotations.NullMarked;
