/**
 * The endpoint for clients of MySQL and MariaDB.
 *
 * <p>Input: clients' connections; the nodes with their engines' sockets. Output: the engines' replies. Each event loop owns its clients
 * and all their connections to engines, so that no command crosses threads.
 *
 * <p>The way of a command: {@code client} receives its packets, {@code session} decides which engine executes it, {@code backend} has the
 * connections to engines.
 */
@NullMarked
package io.multimed.endpoint.mysql;

import org.jspecify.annotations.NullMarked;
