/**
 * One client conversation, from its messages to the unit of work that runs on a node, and from the node's replies back.
 *
 * <p>A <em>unit</em> is what is placed as a whole: a Query message, or a segment of extended query messages up to Sync or
 * Flush. A unit that cannot go on (being classified, waiting for freshness, for the Master's visibility, for a connection)
 * is simply tried again from its first byte when the reason to wait is gone. On its way it passes, in this order:
 *
 * <pre>
 * Intake -> QueryIntake | SegmentIntake    which unit is at the head of the input
 *        -> Classifying, SegmentScanner    what its statements may do
 *        -> Unaided                        whether it needs an engine at all
 *        -> Placing                        where it runs, once
 *           AwaitingFreshness, AwaitingVisibility, Acquiring    that node can serve it and has given a connection
 *           Coalescing                     or somebody else is told what it asks
 *        -> Refusing, Sending              whether it may run, and what the session remembers of it
 *        -> ExtendedSender, PartialMessage bytes for the engine
 * Exchange -> Hearing -> HeldReplies       and back: what is owed, what of it the client sees, and when
 * </pre>
 *
 * <p>{@link io.multimed.endpoint.pg.session.Session} holds these parts together. Every object belongs to the event loop of
 * its client.
 */
@NullMarked
package io.multimed.endpoint.pg.session;

import org.jspecify.annotations.NullMarked;
