/**
 * One client conversation, from its messages to the unit of work that runs on a node, and from the node's replies back.
 *
 * <p>A <em>unit</em> is placed as a whole: a Query message, or a segment of extended query messages up to Sync or Flush. A unit
 * that cannot go on stays in the input. It may wait for its classification, for freshness, for the Master's visibility or for a
 * connection. When the wait has ended, the unit is tried again from its first byte. On its way it passes, in this order:
 *
 * <pre>
 * requests   RequestReader -> QueryReader | SegmentReader   the unit at the head of the input
 *                   -> Classifying, SegmentScanner -> Segment   the effects of its statements
 *                   -> LocalAnswers, BlockControl            an answer if it needs no engine
 *                   -> UnitPreparation                       its placement, and statements that must precede it
 * routing           -> Routing                               the choice of the node, made once
 *                      UnboundRouting, SatelliteRouting      without a connection, or on a Satellite
 *                      AwaitingFreshness, AwaitingVisibility, BackendCheckout   the waits for that node and its connection
 *                      Coalescing                            or the reply to another session's equal unit
 * requests          -> Rejections                            a last check
 *                   -> QuerySender | SegmentSender, Sending   its sending, and notes for the session
 * prepared          -> ExtendedSender                        bytes for the engine
 * exchange          -> PartialMessage, Exchange -> SentMessages   the replies that are owed from now on
 *            ReplyStream -> ReplyHandler -> HeldReplies      and back: the replies, and the part for the client
 * session           -> UnitEnds -> TransactionCompletion     the end of the unit, and of its transaction
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
 * watch      times of units, for the log and the console
 * </pre>
 *
 * <p>{@code Session} passes events to these parts, and {@code SessionAssembly} creates them.
 * {@link io.multimed.endpoint.pg.session.Sessions} creates the session. Every object belongs to the event loop of its client.
 */
@NullMarked
package io.multimed.endpoint.pg.session;

import org.jspecify.annotations.NullMarked;
