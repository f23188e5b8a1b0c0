/**
 * The database {@code multimed}: shows the activity of every node, pool and client by SHOW commands, over the simple or the
 * extended query protocol.
 *
 * <p>Input: SQL text. Output: rows of text. Runs on the client's event loop, and asks the other loops for their part.
 */
@NullMarked
package io.multimed.endpoint.pg.admin;

import org.jspecify.annotations.NullMarked;
