/**
 * Admission of transactions: the node on which each may begin, and the waits before that.
 *
 * <p>In: the nodes' positions, the floor, the Master's visibility, and the time as the caller tells it. Out: the node, or
 * the event to wait for. Neither sockets nor clocks: the endpoint drives it with clients and engines, the simulator with
 * simulated ones.
 */
@NullMarked
package io.multimed.core.admission;

import org.jspecify.annotations.NullMarked;
