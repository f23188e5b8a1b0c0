/**
 * The way back of a commit: the received part of the Master's log, the SCN that each Satellite has applied, and the readers that
 * wait for it.
 *
 * <p>Input: the relay thread calls {@link io.multimed.core.propagation.MasterLog} for every commit record, before it confirms it to
 * the Master; feeds call {@code ComputationalNode.applied}. Output: the floor of a read, and wake-ups of waiting readers through
 * {@link io.multimed.core.propagation.FreshnessGate}.
 */
@NullMarked
package io.multimed.core.propagation;

import org.jspecify.annotations.NullMarked;
