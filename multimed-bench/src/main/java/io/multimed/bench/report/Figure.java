package io.multimed.bench.report;

/** What an experiment has found out beyond throughput and latency. */
public record Figure(String name, String unit, double value) {
    /** Of engines and clients in one JVM. */
    public static final String LIVE_HEAP = "live heap once loaded";
}
