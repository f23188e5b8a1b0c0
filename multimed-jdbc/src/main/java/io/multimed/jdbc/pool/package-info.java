/**
 * Connections that an application server pools, also for global transactions: a session that outlives the connections that were
 * handed out for it.
 *
 * <p>Input: calls on {@code javax.sql} and {@code javax.transaction.xa}. Output: connections, and events about them. Any thread.
 */
@NullMarked
package io.multimed.jdbc.pool;

import org.jspecify.annotations.NullMarked;
