/**
 * What passes between a client, its session and the engine whose connection it holds.
 *
 * <p>In: messages that were sent, as entries of what the engine owes ({@code Replies}), and the engine's replies
 * ({@code ReplyHandler}). Out: bytes for the client once they are its own ({@code HeldReplies}), and to the session
 * ({@link io.multimed.endpoint.pg.session.exchange.ExchangeOwner}) what they come to: a unit has ended, a backend is lost. What a
 * session waits for is kept here too, since replies end most waits. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.NullMarked;
