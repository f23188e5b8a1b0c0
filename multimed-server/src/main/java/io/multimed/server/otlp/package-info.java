/**
 * Telemetry sent to an OpenTelemetry collector, by OTLP over HTTP. Metrics enter from their registry at intervals, statements from the
 * event loops as they are answered; both leave on threads of the OpenTelemetry SDK. Nothing waits for the collector: while it cannot be
 * reached, telemetry is lost.
 */
@NullMarked
package io.multimed.server.otlp;

import org.jspecify.annotations.NullMarked;
