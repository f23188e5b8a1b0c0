/**
 * Metrics for Prometheus on an HTTP port of their own.
 *
 * <p>Input: status and counters, read only when Prometheus sends a request. Output: the text format under {@code /metrics}. Runs on
 * threads of the HTTP server.
 */
@NullMarked
package io.multimed.server.metrics;

import org.jspecify.annotations.NullMarked;
