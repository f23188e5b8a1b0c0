/**
 * Connections to the engines: opened on demand, pooled per event loop, node and kind of session.
 *
 * <p>Input: a session's request for a connection to a node. Output: the connection, as soon as there is one; its replies are split
 * into messages and passed to the session that holds it. Each object belongs to one event loop.
 *
 * <p>The pool of one node: {@link io.multimed.endpoint.pg.backend.NodeBackends} gives connections to sessions and takes them back. Its
 * connections are in {@code OpenConnections}, those in no use in {@code IdleConnections}, those on which others may follow in {@code
 * SharedConnections}. {@code PoolRoom} says how many there may be, {@code ConnectionOpener} opens them. Sessions that get none are
 * {@code WaitingRequests}.
 *
 * <p>One connection: {@link io.multimed.endpoint.pg.backend.BackendConnection} is what its users call. {@code ConnectionUsers} are the
 * session that hears the engine and those behind it. The engine's messages come through {@code BackendDecoder} and {@code
 * EngineReplies}. {@code OwnStatements} and {@code CancelRequests} hold messages back where these must not go yet. {@link
 * io.multimed.endpoint.pg.backend.EngineSession} is the state that the next user finds.
 */
@NullMarked
package io.multimed.endpoint.pg.backend;

import org.jspecify.annotations.NullMarked;
