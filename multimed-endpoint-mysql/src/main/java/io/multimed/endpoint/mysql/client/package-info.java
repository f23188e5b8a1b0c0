/**
 * Clients' connections: packets in, packets out, and their bounds.
 *
 * <p>Runs on the event loop that owns the client.
 */
@NullMarked
package io.multimed.endpoint.mysql.client;

import org.jspecify.annotations.NullMarked;
