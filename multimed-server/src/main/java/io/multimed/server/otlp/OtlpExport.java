package io.multimed.server.otlp;

import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.server.config.Configuration;
import io.multimed.server.metrics.InstanceMetrics;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connection to a collector. Thread-safe. */
public final class OtlpExport implements AutoCloseable {
    /** Source: OpenTelemetry's specification, "OTLP Exporter", default timeout. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LONGEST_END = Duration.ofSeconds(3);
    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
    private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");
    private static final AttributeKey<String> INSTANCE = AttributeKey.stringKey("service.instance.id");
    private static final AttributeKey<String> HOST = AttributeKey.stringKey("host.name");

    private final Configuration.Otlp wanted;
    private final URI collector;
    private final Resource resource;
    private final @Nullable SdkTracerProvider tracing;
    private volatile @Nullable SdkMeterProvider metering;

    private OtlpExport(Configuration.Otlp wanted, URI collector, String version, String host, String address) {
        this.wanted = wanted;
        this.collector = collector;
        resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        SERVICE, "multimed", VERSION, version, HOST, host, INSTANCE, host + "/" + address)));
        tracing = wanted.traces() ? tracing() : null;
    }

    /**
     * Returns the connection to a collector, which is opened when there is something to send; empty if nothing is wanted.
     *
     * @param host name of this machine
     * @param address of the endpoint, by which this instance differs from others on the machine
     */
    public static Optional<OtlpExport> of(Configuration.Otlp wanted, String version, String host, String address) {
        wanted.endpoint().ifPresent(collector -> SdkLog.passToLog());
        return wanted.endpoint().map(collector -> new OtlpExport(wanted, collector, version, host, address));
    }

    private String at(String signal) {
        String base = collector.toString();
        return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/v1/" + signal;
    }

    private SdkTracerProvider tracing() {
        OtlpHttpSpanExporterBuilder exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(at("traces")).setTimeout(TIMEOUT);
        wanted.headers().forEach(exporter::addHeader);
        return SdkTracerProvider.builder()
                .setResource(resource)
                .addSpanProcessor(BatchSpanProcessor.builder(exporter.build()).build())
                .build();
    }

    /** Returns the receiver of statements that belong to a trace of the client's application; null if none are wanted. */
    public @Nullable StatementTraces traces() {
        return tracing == null ? null : new StatementSpans(tracing.get("io.multimed"));
    }

    /** Begins to send metrics, if that is wanted. */
    public void send(InstanceMetrics metrics) {
        send(metrics.registry());
    }

    void send(PrometheusRegistry registry) {
        if (wanted.metrics().isZero()) {
            return;
        }
        OtlpHttpMetricExporterBuilder exporter =
                OtlpHttpMetricExporter.builder().setEndpoint(at("metrics")).setTimeout(TIMEOUT);
        wanted.headers().forEach(exporter::addHeader);
        metering = SdkMeterProvider.builder()
                .setResource(resource)
                .registerMetricProducer(new RegistryProducer(registry))
                .registerMetricReader(PeriodicMetricReader.builder(exporter.build())
                        .setInterval(wanted.metrics())
                        .build())
                .build();
    }

    /** Sends what is waiting, and closes the connection. Waits for that for a few seconds at most. */
    @Override
    public void close() {
        // The SDK's own shutdown takes longer while the collector cannot be reached.
        Thread end = Thread.ofPlatform().daemon().name("multimed-otlp-end").start(this::end);
        try {
            end.join(LONGEST_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        CompletableResultCode spans = tracing == null ? CompletableResultCode.ofSuccess() : tracing.shutdown();
        SdkMeterProvider open = metering;
        if (open != null) {
            open.shutdown();
        }
        spans.join(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
    }
}
