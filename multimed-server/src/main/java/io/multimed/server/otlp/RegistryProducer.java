package io.multimed.server.otlp;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The metrics that Prometheus scrapes, as OpenTelemetry's data: counters, gauges and histograms under the same names. Source:
 * OpenTelemetry's specification, "Prometheus and OpenMetrics Compatibility".
 */
final class RegistryProducer implements MetricProducer {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.multimed");

    private final PrometheusRegistry registry;
    private final long beganNanos = now();

    RegistryProducer(PrometheusRegistry registry) {
        this.registry = registry;
    }

    private record Metric(
            Resource resource,
            InstrumentationScopeInfo instrumentationScopeInfo,
            String name,
            String description,
            MetricDataType type,
            Data<?> data)
            implements MetricData {
        @Override
        public Resource getResource() {
            return resource;
        }

        @Override
        public InstrumentationScopeInfo getInstrumentationScopeInfo() {
            return instrumentationScopeInfo;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public String getDescription() {
            return description;
        }

        @Override
        public String getUnit() {
            return "";
        }

        @Override
        public MetricDataType getType() {
            return type;
        }

        @Override
        public Data<?> getData() {
            return data;
        }
    }

    @Override
    public Collection<MetricData> produce(Resource resource) {
        List<MetricData> all = new ArrayList<>();
        long now = now();
        for (MetricSnapshot metric : registry.scrape()) {
            switch (metric) {
                case CounterSnapshot counter ->
                    all.add(metric(resource, metric, MetricDataType.DOUBLE_SUM, sum(counter, now)));
                case GaugeSnapshot gauge ->
                    all.add(metric(resource, metric, MetricDataType.DOUBLE_GAUGE, value(gauge, now)));
                case HistogramSnapshot histogram ->
                    all.add(metric(resource, metric, MetricDataType.HISTOGRAM, distribution(histogram, now)));
                default -> throw new IllegalStateException("no counter, gauge or histogram: " + metric);
            }
        }
        return all;
    }

    private static Metric metric(Resource resource, MetricSnapshot metric, MetricDataType type, Data<?> data) {
        String help = metric.getMetadata().getHelp();
        String name = metric.getMetadata().getPrometheusName();
        return new Metric(
                resource,
                SCOPE,
                type == MetricDataType.DOUBLE_SUM ? name + "_total" : name,
                help == null ? "" : help,
                type,
                data);
    }

    private SumData<DoublePointData> sum(CounterSnapshot counter, long now) {
        return SumData.createDoubleSumData(
                true,
                AggregationTemporality.CUMULATIVE,
                counter.getDataPoints().stream()
                        .map(point -> DoublePointData.create(
                                beganNanos, now, attributes(point.getLabels()), point.getValue(), List.of()))
                        .toList());
    }

    private GaugeData<DoublePointData> value(GaugeSnapshot gauge, long now) {
        return GaugeData.createDoubleGaugeData(gauge.getDataPoints().stream()
                .map(point ->
                        DoublePointData.create(now, now, attributes(point.getLabels()), point.getValue(), List.of()))
                .toList());
    }

    private HistogramData distribution(HistogramSnapshot histogram, long now) {
        return HistogramData.create(
                AggregationTemporality.CUMULATIVE,
                histogram.getDataPoints().stream()
                        .map(point -> {
                            ClassicHistogramBuckets buckets = point.getClassicBuckets();
                            List<Double> bounds = new ArrayList<>();
                            List<Long> counts = new ArrayList<>();
                            for (int i = 0; i < buckets.size(); i++) {
                                counts.add(buckets.getCount(i));
                                if (Double.isFinite(buckets.getUpperBound(i))) {
                                    bounds.add(buckets.getUpperBound(i));
                                }
                            }
                            return HistogramPointData.create(
                                    beganNanos,
                                    now,
                                    attributes(point.getLabels()),
                                    point.getSum(),
                                    false,
                                    0,
                                    false,
                                    0,
                                    bounds,
                                    counts);
                        })
                        .toList());
    }

    private static Attributes attributes(Labels labels) {
        AttributesBuilder attributes = Attributes.builder();
        labels.forEach(label -> attributes.put(AttributeKey.stringKey(label.getName()), label.getValue()));
        return attributes.build();
    }

    /** Returns the present time in nanoseconds since 1970. */
    private static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
