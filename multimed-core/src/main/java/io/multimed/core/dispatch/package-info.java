/**
 * Which Computational Node executes a transaction, and at which freshness.
 *
 * <p>In: what is known of a transaction and the nodes as they are. Out: a {@link io.multimed.core.dispatch.Placement},
 * a value that says where and why. Pure: the dispatcher sees no socket, no clock and no SQL.
 */
@NullMarked
package io.multimed.core.dispatch;

import org.jspecify.annotations.NullMarked;
