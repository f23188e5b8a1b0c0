/**
 * The control socket: how {@code multimed status} and {@code multimed down} reach a running instance.
 *
 * <p>In: one request per connection, a line. Out: one line of answer, then the end of the connection. The socket's mode
 * is 0600; one thread of its own serves it.
 */
@NullMarked
package io.multimed.server.control;

import org.jspecify.annotations.NullMarked;
