package io.multimed.server.otlp;

import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.endpoint.pg.services.WatchedStatement;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A span for each statement with a sampled trace context. Its parent is the span of the application that sent the statement.
 *
 * <p>Source: W3C's recommendation "Trace Context", and OpenTelemetry's semantic conventions for database spans.
 */
final class StatementSpans implements StatementTraces {
    /** The members that every version has: version, trace, parent, flags. */
    private static final Pattern TRACE_PARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?");

    /** The first word, not counting the beginning of a transaction, which drivers send together with its first statement. */
    private static final Pattern FIRST_WORD = Pattern.compile(
            "(?:(?:BEGIN|START)\\b[^;]*;)?[\\s(]*([A-Z]{2,20})\\b.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
    private static final AttributeKey<String> DATABASE = AttributeKey.stringKey("db.namespace");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
    private static final AttributeKey<String> TEXT = AttributeKey.stringKey("db.query.text");
    private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("network.peer.address");
    private static final AttributeKey<String> USER = AttributeKey.stringKey("multimed.user");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("multimed.route");
    private static final AttributeKey<String> SHAPE = AttributeKey.stringKey("multimed.shape");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<Double> WAIT = AttributeKey.doubleKey("multimed.wait_ms");
    private static final AttributeKey<String> WAITED_FOR = AttributeKey.stringKey("multimed.waited_for");
    private static final double NANOS_PER_MILLI = 1e6;

    private final Tracer tracer;

    StatementSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void answered(String traceParent, WatchedStatement statement) {
        SpanContext parent = parent(traceParent);
        if (!parent.isValid() || !parent.isSampled()) {
            return;
        }
        Instant end = Instant.now();
        String operation = operation(statement.text());
        SpanBuilder span = tracer.spanBuilder(operation.isEmpty() ? "statement" : operation)
                .setParent(Context.root().with(Span.wrap(parent)))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(end.minusNanos(statement.nanos()))
                .setAttribute(SYSTEM, "postgresql")
                .setAttribute(DATABASE, statement.database())
                .setAttribute(TEXT, statement.text())
                .setAttribute(CLIENT, statement.address())
                .setAttribute(USER, statement.user())
                .setAttribute(ROUTE, statement.route())
                .setAttribute(WAIT, statement.waitNanos() / NANOS_PER_MILLI);
        if (!operation.isEmpty()) {
            span.setAttribute(OPERATION, operation);
        }
        if (!statement.shape().isEmpty()) {
            span.setAttribute(SHAPE, statement.shape());
        }
        if (!statement.waitedFor().isEmpty()) {
            span.setAttribute(WAITED_FOR, statement.waitedFor());
        }
        Span begun = span.startSpan();
        if (statement.failed()) {
            begun.setAttribute(ERROR, "_OTHER");
            begun.setStatus(StatusCode.ERROR, statement.outcome());
        }
        begun.end(end);
    }

    private static SpanContext parent(String traceParent) {
        Matcher context = TRACE_PARENT.matcher(traceParent);
        return context.matches()
                ? SpanContext.createFromRemoteParent(
                        context.group(1),
                        context.group(2),
                        TraceFlags.fromHex(context.group(3), 0),
                        TraceState.getDefault())
                : SpanContext.getInvalid();
    }

    /** Returns the first word of the text in upper case; empty if it does not begin with a word. */
    private static String operation(String text) {
        Matcher first = FIRST_WORD.matcher(text);
        return first.matches() ? first.group(1).toUpperCase(Locale.ROOT) : "";
    }
}
