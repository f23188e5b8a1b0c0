/**
 * Connections to engines: packets, login, and Multimed's own statements.
 *
 * <p>Input: the path of an engine's socket, and packets for it. Output: its packets. Runs on the event loop that owns the client.
 */
@NullMarked
package io.multimed.endpoint.mysql.backend;

import org.jspecify.annotations.NullMarked;
