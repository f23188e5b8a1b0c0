/**
 * A client's session: its login, the engine that executes each command, and the state that it has on engines.
 *
 * <p>Each session has a connection to the Master of its own, on which its client has logged in: the Master checks the password. If there are
 * too many, an idle session gives up its own until it needs one again ({@code MasterLinks}, {@code MasterHold}). What a session does is done
 * there, except reads that a Satellite can answer. For those the session has a second connection, to a Satellite,
 * that is told the session's settings. {@code SessionCommands} decides, with {@code PreparedStatements} and {@code ReadOnlyBlocks};
 * {@code MasterExchange} and {@code SatelliteExchange} execute.
 *
 * <p>Runs on the event loop that owns the client.
 */
@NullMarked
package io.multimed.endpoint.mysql.session;

import org.jspecify.annotations.NullMarked;
