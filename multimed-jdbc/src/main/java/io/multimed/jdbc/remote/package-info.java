/**
 * Sessions on a Multimed server, which places statements itself.
 *
 * <p>Input: calls of a session. Output: the same calls on one connection of the server's driver, and on another one after a loss.
 * Runs in the application's threads.
 */
@NullMarked
package io.multimed.jdbc.remote;

import org.jspecify.annotations.NullMarked;
