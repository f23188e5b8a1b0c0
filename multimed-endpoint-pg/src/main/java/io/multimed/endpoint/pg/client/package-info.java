/**
 * The client's side of the wire: accepting, TLS, start-up, and the bytes of an authenticated client.
 *
 * <p>In: bytes. Out: a {@link io.multimed.endpoint.pg.session.loop.ClientSession} that takes them. Event loop only, but for the
 * table of cancel keys.
 */
@NullMarked
package io.multimed.endpoint.pg.client;

import org.jspecify.annotations.NullMarked;
