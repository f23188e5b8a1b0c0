/**
 * The client's side of the wire: accepting, TLS, start-up, and the bytes of an authenticated client.
 *
 * <p>Input: bytes. Output: a {@link io.multimed.endpoint.pg.session.loop.ClientSession} that receives them. Event loop only, except
 * for the table of cancel keys.
 */
@NullMarked
package io.multimed.endpoint.pg.client;

import org.jspecify.annotations.NullMarked;
