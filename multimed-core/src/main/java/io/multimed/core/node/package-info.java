/**
 * Computational Nodes: Master and Satellites, their positions, load and states.
 *
 * <p>Input: positions from the feeds, starts and ends from the engine's control, load from the endpoint. Output: the
 * {@link io.multimed.core.node.Nodes} from which the Dispatcher chooses.
 */
@NullMarked
package io.multimed.core.node;

import org.jspecify.annotations.NullMarked;
