/**
 * The database {@code multimed}: what every node, pool and client is doing, asked with SHOW over the simple protocol.
 *
 * <p>In: Query messages. Out: rows of text. Runs on the client's event loop, and asks the other loops for their part.
 */
@NullMarked
package io.multimed.endpoint.pg.admin;

import org.jspecify.annotations.NullMarked;
