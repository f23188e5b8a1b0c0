/**
 * One client conversation, from its messages to the unit of work that runs on a node, and from the node's replies back.
 *
 * <p>A <em>unit</em> is what is placed as a whole: a Query message, or a segment of extended query messages up to Sync or
 * Flush. A unit that cannot go on (being classified, waiting for freshness, for the Master's visibility, for a connection)
 * is simply tried again from its first byte when the reason to wait is gone. On its way it passes, in this order:
 *
 * <pre>
 * requests   RequestReader -> QueryReader | SegmentReader   the unit at the head of the input
 *                   -> Classifying, SegmentScanner           what its statements may do
 *                   -> LocalAnswers                          whether it needs an engine at all
 * routing           -> Routing                               the node that executes it, chosen once
 *                      AwaitingFreshness, AwaitingVisibility, BackendCheckout   that node can serve it and has given a connection
 *                      Coalescing                            or another session's answer serves it
 * requests          -> Rejections, Sending                   whether it may run, and what the session remembers of it
 * prepared          -> ExtendedSender                        bytes for the engine
 * exchange          -> PartialMessage
 *            Exchange -> ReplyHandler -> HeldReplies         and back: what is owed, what of it the client sees, and when
 * </pre>
 *
 * <p>Each package uses only those before it in this list:
 *
 * <pre>
 * reads      what reads cost, and reads that are the same
 * loop       what the sessions of one event loop share
 * settings   what a session has set
 * exchange   what passes between client, session and engine
 * block      the client's transaction block
 * prepared   what clients prepare, and the messages about it
 * routing    the node that executes a unit, and a connection to it
 * requests   takes units from the input
 * </pre>
 *
 * <p>{@code Session} holds these parts together; it begins in {@link io.multimed.endpoint.pg.session.Sessions}. Every object
 * belongs to the event loop of its client.
 */
@NullMarked
package io.multimed.endpoint.pg.session;

import org.jspecify.annotations.NullMarked;
