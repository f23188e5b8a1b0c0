/**
 * The exchange between a client, its session and the engine whose connection the session holds.
 *
 * <p>In: messages that were sent, as entries of the replies that the engine owes ({@code Replies}), and the engine's replies
 * ({@code ReplyHandler}). Out: bytes for the client ({@code HeldReplies}), and results for the session
 * ({@link io.multimed.endpoint.pg.session.exchange.ExchangeOwner}), such as the end of a unit or the loss of a backend. The
 * session's waits are kept here too, since replies end most of them. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.exchange;

import org.jspecify.annotations.NullMarked;
