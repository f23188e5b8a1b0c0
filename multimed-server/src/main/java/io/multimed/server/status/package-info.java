/**
 * The status of every node.
 *
 * <p>Input: the nodes, their life cycles, the plan, the floor. Output: {@link io.multimed.server.status.InstanceStatus}, a value,
 * for the control socket, the endpoint's admin database and the metrics. Thread-safe.
 */
@NullMarked
package io.multimed.server.status;

import org.jspecify.annotations.NullMarked;
