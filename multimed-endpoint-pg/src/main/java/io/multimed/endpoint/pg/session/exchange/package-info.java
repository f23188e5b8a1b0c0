/**
 * The exchange between a client, its session and the engine whose connection the session holds.
 *
 * <pre>
 * Exchange     the connection that the session holds, and the sending of messages
 * SentMessages   the messages sent: the replies that the engine owes (Replies), their effects (OutstandingEffects), COPY (CopyIn)
 *   NotExecuted    undoes the records of messages that the engine does not execute
 * ReplyStream    the engine's replies, as they arrive
 *   ReplyHandler   the part of them that the client sees, and the result of the unit (UnitResult)
 *   HeldReplies    the part that is held back while the unit may still run elsewhere
 * ConnectionOffer  the offer of the connection to other sessions behind a read
 * </pre>
 *
 * <p>Results are reported to the session ({@link io.multimed.endpoint.pg.session.exchange.ExchangeOwner}), such as the end of a unit
 * or the loss of a backend. The session's waits are kept here too, since replies end most of them. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.NullMarked;
