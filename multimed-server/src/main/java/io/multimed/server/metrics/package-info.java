/**
 * Metrics for Prometheus on an HTTP port of their own.
 *
 * <p>In: status and counters, read when Prometheus asks and not before. Out: the text format under {@code /metrics}.
 * Threads of the HTTP server.
 */
@NullMarked
package io.multimed.server.metrics;

import org.jspecify.annotations.NullMarked;
