/**
 * Connections to the engines: opened on demand, pooled per event loop, node and kind of session.
 *
 * <p>Input: a session's request for a connection to a node. Output: the connection, as soon as there is one; its replies are split
 * into messages and passed to the session that holds it. Each object belongs to one event loop.
 */
@NullMarked
package io.multimed.endpoint.pg.backend;

import org.jspecify.annotations.NullMarked;
