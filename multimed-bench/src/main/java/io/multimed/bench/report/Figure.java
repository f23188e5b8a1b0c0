package io.multimed.bench.report;

/** What an experiment has found out beyond throughput and latency. */
public record Figure(String name, String unit, double value) {}
