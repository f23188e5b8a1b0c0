package io.multimed.server.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A collector that keeps what it is sent, decoded by OpenTelemetry's own definitions. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    final List<Span> spans = new CopyOnWriteArrayList<>();
    final List<Metric> metrics = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> resources = new CopyOnWriteArrayList<>();
    final List<String> keys = new CopyOnWriteArrayList<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            for (var each : ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceSpansList()) {
                resources.add(texts(each.getResource().getAttributesList()));
                each.getScopeSpansList().stream().map(ScopeSpans::getSpansList).forEach(spans::addAll);
            }
            received(exchange);
        });
        server.createContext("/v1/metrics", exchange -> {
            for (var each : ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceMetricsList()) {
                each.getScopeMetricsList().stream()
                        .map(ScopeMetrics::getMetricsList)
                        .forEach(metrics::addAll);
            }
            received(exchange);
        });
        server.start();
    }

    private void received(HttpExchange exchange) throws IOException {
        keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("api-key")));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        each -> each.getValue().hasStringValue()
                                ? each.getValue().getStringValue()
                                : each.getValue().hasDoubleValue()
                                        ? Double.toString(each.getValue().getDoubleValue())
                                        : each.getValue().toString()));
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
