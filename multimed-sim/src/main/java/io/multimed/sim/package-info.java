/**
 * The core under a simulated clock and scheduler.
 *
 * <p>In: a seed. Out: a hash of all that happened, or a {@link io.multimed.sim.SimulationException} that names the seed. The
 * log buffer, the floor, visibility, the freshness gate, the Dispatcher, sessions and the life cycles of Satellites are the
 * real ones; Master, Satellites, the wire and the endpoint around them are models, as hostile as the real ones may be. One
 * thread, one queue of pending events in virtual time; every delay and fault comes from the seed.
 *
 * <p>The {@link io.multimed.sim.GuaranteeChecker} is independent of the core: it knows the contents of the Master's log and the answers
 * to all clients, and nothing of the core's decisions.
 */
@NullMarked
package io.multimed.sim;

import org.jspecify.annotations.NullMarked;
