/**
 * The database {@code multimed}: what every node, pool and client is doing, asked with SHOW, over either protocol.
 *
 * <p>In: SQL text. Out: rows of text. Runs on the client's event loop, and asks the other loops for their part.
 */
@NullMarked
package io.multimed.endpoint.pg.admin;

import org.jspecify.annotations.NullMarked;
