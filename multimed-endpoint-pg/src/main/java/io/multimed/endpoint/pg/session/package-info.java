/**
 * One client conversation, from its messages to the unit of work that runs on a node, and from the node's replies back.
 *
 * <p>A <em>unit</em> is what is placed as a whole: a Query message, or a segment of extended query messages up to Sync or
 * Flush. {@link io.multimed.endpoint.pg.session.Session} takes units from the client's bytes and places them; a unit that
 * cannot go on (being classified, waiting for freshness, for the Master's visibility, for a connection) is simply tried
 * again from its first byte when the reason to wait is gone. {@code Exchange} knows what replies are outstanding on the
 * connection that the session holds.
 *
 * <p>Every object belongs to the event loop of its client.
 */
@NullMarked
package io.multimed.endpoint.pg.session;

import org.jspecify.annotations.NullMarked;
