/**
 * The core under a simulated clock and scheduler.
 *
 * <p>In: a seed. Out: a hash of all that happened, or a {@link io.multimed.sim.SimulationException} that names the seed.
 * The log buffer, the floor, visibility, the freshness gate, the Dispatcher, sessions and the life cycles of Satellites
 * are the real ones; Master, Satellites, the wire and the endpoint around them are models, as hostile as the real ones
 * may be. One thread, one queue of pending events in virtual time; every delay and fault comes from the seed.
 *
 * <p>The {@link io.multimed.sim.Checker} stands outside: it knows what the Master's log contains and what everyone was
 * told, and nothing of how the core decides.
 */
@NullMarked
package io.multimed.sim;

import org.jspecify.annotations.NullMarked;
