/**
 * One client conversation, from its messages to the unit of work that runs on a node, and from the node's replies back.
 *
 * <p>A <em>unit</em> is placed as a whole: a Query message, or a segment of extended query messages up to Sync or Flush. A unit
 * that cannot go on stays in the input. It may wait for its classification, for freshness, for the Master's visibility or for a
 * connection. When the wait has ended, the unit is tried again from its first byte. On its way it passes, in this order:
 *
 * <pre>
 * requests   RequestReader -> QueryReader | SegmentReader   the unit at the head of the input
 *                   -> Classifying, SegmentScanner           the effects of its statements
 *                   -> LocalAnswers                          an answer if it needs no engine
 * routing           -> Routing                               the choice of the node, made once
 *                      AwaitingFreshness, AwaitingVisibility, BackendCheckout   the waits for that node and its connection
 *                      Coalescing                            or the reply to another session's equal unit
 * requests          -> Rejections, Sending                   a last check, and notes for the session
 * prepared          -> ExtendedSender                        bytes for the engine
 * exchange          -> PartialMessage
 *            Exchange -> ReplyHandler -> HeldReplies         and back: owed replies, and the part for the client
 * </pre>
 *
 * <p>Each package uses only those before it in this list:
 *
 * <pre>
 * reads      costs of reads, and coalescing of equal reads
 * loop       objects that the sessions of one event loop share
 * settings   settings of a session
 * exchange   messages and replies between client, session and engine
 * block      the client's transaction block
 * prepared   prepared statements, and the messages about them
 * routing    the node that executes a unit, and a connection to it
 * requests   takes units from the input
 * </pre>
 *
 * <p>{@code Session} holds these parts together. {@link io.multimed.endpoint.pg.session.Sessions} creates it. Every object
 * belongs to the event loop of its client.
 */
@NullMarked
package io.multimed.endpoint.pg.session;

import org.jspecify.annotations.NullMarked;
