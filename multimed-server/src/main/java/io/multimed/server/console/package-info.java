/**
 * The console: a page, beside the metrics, that shows what an instance does.
 *
 * <p>In: the state of the nodes, looked at from time to time by a thread of its own, and what the endpoint knows of statements. Out: a page,
 * and its data as JSON; nothing that changes anything. Requests are answered on threads of the HTTP server.
 */
@NullMarked
package io.multimed.server.console;

import org.jspecify.annotations.NullMarked;
