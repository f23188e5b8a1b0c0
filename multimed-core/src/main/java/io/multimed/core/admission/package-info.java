/**
 * Admission of transactions: the node on which each may begin, and the waits before that.
 *
 * <p>Input: the nodes' positions, the floor, the Master's visibility, and the caller's time. Output: the node, or the event to wait
 * for. The package uses neither sockets nor clocks: the endpoint drives it with clients and engines, the simulator with simulated
 * ones.
 */
@NullMarked
package io.multimed.core.admission;

import org.jspecify.annotations.NullMarked;
