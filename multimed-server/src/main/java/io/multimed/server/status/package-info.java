/**
 * What every node is doing.
 *
 * <p>In: the nodes, their life cycles, the plan, the floor. Out: {@link io.multimed.server.status.InstanceStatus}, a
 * value, for the control socket, the endpoint's admin database and the metrics. Any thread.
 */
@NullMarked
package io.multimed.server.status;

import org.jspecify.annotations.NullMarked;
