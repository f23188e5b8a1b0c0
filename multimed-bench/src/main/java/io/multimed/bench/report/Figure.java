package io.multimed.bench.report;

/** A result of an experiment beyond throughput and latency. */
public record Figure(String name, String unit, double value) {
    /** Figure for engines and clients in one JVM. */
    public static final String LIVE_HEAP = "live heap once loaded";
}
