/**
 * Choice of the Computational Node that executes a transaction, and of its freshness.
 *
 * <p>Input: the properties of a transaction, and the present state of the nodes. Output: a
 * {@link io.multimed.core.dispatch.Placement}, a value with the destination and the reason. Pure: the dispatcher uses no socket, no
 * clock and no SQL.
 */
@NullMarked
package io.multimed.core.dispatch;

import org.jspecify.annotations.NullMarked;
