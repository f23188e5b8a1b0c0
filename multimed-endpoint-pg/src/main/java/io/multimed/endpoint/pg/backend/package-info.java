/**
 * Connections to the engines: opened on demand, pooled per event loop, node and kind of session.
 *
 * <p>In: a session asks for a connection to a node. Out: the connection, when there is one, with its replies framed and
 * handed to the session that holds it. Each object belongs to one event loop.
 */
@NullMarked
package io.multimed.endpoint.pg.backend;

import org.jspecify.annotations.NullMarked;
