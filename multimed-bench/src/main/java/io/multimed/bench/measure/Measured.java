package io.multimed.bench.measure;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The measurements of one run.
 *
 * @param seconds length of the window that was measured
 * @param perSecond operations completed in a second
 * @param transactionsPerSecond database transactions committed in a second, without those that were refused
 * @param readShare of operations that were declared read-only, in per cent
 * @param all latency of all operations together
 * @param shortReads latency of reads that are short by their nature, with the other operations waiting beside them
 * @param errors by the engine's message, SQLSTATE first
 * @param warmupSeconds how many of {@code series} come before the window
 * @param series operations completed in each second since the clients began
 * @param cpuSeconds used in the window, by process; {@code load generator} is the harness itself
 * @param memoryBytes at the end of the window, by process: its share of the memory it has mapped (PSS); empty where the kernel
 *     does not provide it
 * @param contextSwitches in the window, by process, of threads that lived at its end; empty in results from before they were
 *     counted, and with hundreds of processes
 */
public record Measured(
        double seconds,
        long completed,
        double perSecond,
        double transactionsPerSecond,
        double readShare,
        Latency all,
        Latency shortReads,
        List<Operation> operations,
        long retries,
        long emptySearches,
        Map<String, Long> errors,
        int warmupSeconds,
        List<Integer> series,
        Map<String, Double> cpuSeconds,
        Map<String, Long> memoryBytes,
        Map<String, ContextSwitches> contextSwitches,
        Inside inside) {
    /** Name of the harness itself, among the processes. */
    public static final String LOAD_GENERATOR = "load generator";

    public Measured {
        operations = List.copyOf(operations);
        errors = Map.copyOf(errors);
        series = List.copyOf(series);
        cpuSeconds = Map.copyOf(cpuSeconds);
        memoryBytes = Map.copyOf(memoryBytes);
        contextSwitches = Map.copyOf(Objects.requireNonNullElse(contextSwitches, Map.of()));
        inside = Objects.requireNonNullElse(inside, Inside.NOTHING);
    }

    /** Returns the number of operations that were given up, all kinds together. */
    public long failures() {
        return operations.stream().mapToLong(Operation::errors).sum();
    }

    /** Returns the processor time of the system, without the harness. */
    public double systemCpuSeconds() {
        return cpuSeconds.entrySet().stream()
                .filter(process -> !process.getKey().equals(LOAD_GENERATOR))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Returns the number of database transactions committed in the window. */
    public double transactions() {
        return transactionsPerSecond * seconds;
    }
}
