/**
 * Computational Nodes: Master and Satellites, their positions, load and states.
 *
 * <p>In: positions from the feeds, starts and ends from the engine's control, load from the endpoint. Out: the
 * {@link io.multimed.core.node.Nodes} that the Dispatcher chooses from.
 */
@NullMarked
package io.multimed.core.node;

import org.jspecify.annotations.NullMarked;
