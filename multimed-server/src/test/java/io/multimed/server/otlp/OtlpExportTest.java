package io.multimed.server.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.endpoint.pg.services.WatchedStatement;
import io.multimed.server.config.Configuration;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(60)
class OtlpExportTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    private static Configuration.Otlp to(URI collector, boolean traces) {
        return new Configuration.Otlp(Optional.of(collector), Map.of("api-key", "k1"), Duration.ofHours(1), traces);
    }

    private static OtlpExport export(URI collector, boolean traces) {
        return OtlpExport.of(to(collector, traces), "1.2.3", "db-1", "0.0.0.0:7432")
                .orElseThrow();
    }

    private static WatchedStatement statement(String text, boolean failed) {
        return new WatchedStatement(
                failed ? "failed" : "answered",
                failed,
                TimeUnit.MILLISECONDS.toNanos(250),
                TimeUnit.MILLISECONDS.toNanos(50),
                "freshness",
                "satellite-1: read",
                "anna",
                "shop",
                "",
                "127.0.0.1:4711",
                17,
                "",
                false,
                text);
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    @Test
    void aStatementIsAChildOfTheSpanThatItsCommentNames() throws Exception {
        try (Collector collector = new Collector()) {
            try (OtlpExport export = export(collector.url(), true)) {
                StatementTraces traces = export.traces();
                assertNotNull(traces);
                traces.answered("00-" + TRACE + "-" + PARENT + "-01", statement("select * from goods", false));
                traces.answered("00-" + TRACE + "-" + PARENT + "-01", statement("BEGIN; (SELECT 1)", true));
            }
            assertEquals(List.of("k1"), collector.keys);
            assertEquals("multimed", collector.resources.getFirst().get("service.name"));
            assertEquals("db-1/0.0.0.0:7432", collector.resources.getFirst().get("service.instance.id"));
            assertEquals(2, collector.spans.size());
            Span read = collector.spans.getFirst();
            assertEquals("SELECT", read.getName());
            assertEquals(Span.SpanKind.SPAN_KIND_SERVER, read.getKind());
            assertEquals(TRACE, hex(read.getTraceId()));
            assertEquals(PARENT, hex(read.getParentSpanId()));
            assertEquals(TimeUnit.MILLISECONDS.toNanos(250), read.getEndTimeUnixNano() - read.getStartTimeUnixNano());
            Map<String, String> attributes = Collector.texts(read.getAttributesList());
            assertEquals("postgresql", attributes.get("db.system.name"));
            assertEquals("shop", attributes.get("db.namespace"));
            assertEquals("select * from goods", attributes.get("db.query.text"));
            assertEquals("satellite-1: read", attributes.get("multimed.route"));
            assertEquals("50.0", attributes.get("multimed.wait_ms"));
            assertEquals("freshness", attributes.get("multimed.waited_for"));
            assertEquals(Status.StatusCode.STATUS_CODE_UNSET, read.getStatus().getCode());
            Span failed = collector.spans.getLast();
            assertEquals("SELECT", failed.getName());
            assertEquals(Status.StatusCode.STATUS_CODE_ERROR, failed.getStatus().getCode());
            assertEquals("_OTHER", Collector.texts(failed.getAttributesList()).get("error.type"));
        }
    }

    @Test
    void aContextThatIsMalformedOrNotSampledHasNoSpan() throws Exception {
        try (Collector collector = new Collector()) {
            try (OtlpExport export = export(collector.url(), true)) {
                StatementTraces traces = export.traces();
                assertNotNull(traces);
                for (String context : List.of(
                        "",
                        "00",
                        "00-" + TRACE + "-" + PARENT + "-00",
                        "00-00000000000000000000000000000000-" + PARENT + "-01",
                        "00-" + TRACE + "-0000000000000000-01",
                        "00-" + TRACE.toUpperCase(Locale.ROOT) + "-" + PARENT + "-01",
                        "00-" + TRACE + "-" + PARENT + "-1")) {
                    traces.answered(context, statement("SELECT 1", false));
                }
                traces.answered("01-" + TRACE + "-" + PARENT + "-01-later", statement("SELECT 2", false));
            }
            assertEquals(1, collector.spans.size());
        }
    }

    @Test
    void withoutTracesThereIsNoReceiver() throws Exception {
        try (Collector collector = new Collector();
                OtlpExport export = export(collector.url(), false)) {
            assertNull(export.traces());
        }
    }

    @Test
    void metricsHaveTheNamesAndValuesThatPrometheusScrapes() throws Exception {
        PrometheusRegistry registry = new PrometheusRegistry();
        Counter.builder()
                .name("reads_total")
                .help("Reads")
                .labelNames("node")
                .register(registry)
                .labelValues("satellite-1")
                .inc(3);
        Gauge.builder().name("lag_seconds").help("Lag").register(registry).set(0.5);
        Histogram histogram = Histogram.builder()
                .name("waits")
                .help("Waits")
                .classicOnly()
                .classicUpperBounds(0.1, 1)
                .register(registry);
        histogram.observe(0.05);
        histogram.observe(5);
        try (Collector collector = new Collector()) {
            try (OtlpExport export = export(collector.url(), false)) {
                export.send(registry);
            }
            Metric reads = metric(collector, "reads_total");
            assertTrue(reads.getSum().getIsMonotonic());
            assertEquals(3, reads.getSum().getDataPoints(0).getAsDouble());
            assertEquals(
                    Map.of("node", "satellite-1"),
                    Collector.texts(reads.getSum().getDataPoints(0).getAttributesList()));
            assertEquals(
                    0.5,
                    metric(collector, "lag_seconds").getGauge().getDataPoints(0).getAsDouble());
            HistogramDataPoint waits = metric(collector, "waits").getHistogram().getDataPoints(0);
            assertEquals(List.of(0.1, 1.0), waits.getExplicitBoundsList());
            assertEquals(List.of(1L, 0L, 1L), waits.getBucketCountsList());
            assertEquals(2, waits.getCount());
            assertEquals(5.05, waits.getSum(), 1e-9);
        }
    }

    private static Metric metric(Collector collector, String name) {
        return collector.metrics.stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCollectorThatCannotBeReachedHoldsNobodyUp() throws Exception {
        URI gone;
        try (Collector collector = new Collector()) {
            gone = collector.url();
        }
        try (OtlpExport export = export(gone, true)) {
            StatementTraces traces = export.traces();
            assertNotNull(traces);
            for (int i = 0; i < 100_000; i++) {
                traces.answered("00-" + TRACE + "-" + PARENT + "-01", statement("SELECT 1", false));
            }
            PrometheusRegistry registry = new PrometheusRegistry();
            Gauge.builder().name("lag_seconds").help("Lag").register(registry).set(0.5);
            export.send(registry);
        }
    }
}
