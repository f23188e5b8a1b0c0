/**
 * The control socket, through which {@code multimed status}, {@code reload}, {@code down}, {@code lean} and {@code support-bundle} reach a running instance.
 *
 * <p>Input: one request per connection, a line: its name, and perhaps an argument. Output: one line of answer, then the end of the connection. The socket's mode is
 * 0600; a separate thread serves it.
 */
@NullMarked
package io.multimed.server.control;

import org.jspecify.annotations.NullMarked;
