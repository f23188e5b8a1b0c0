package io.multimed.bench.measure;

import java.util.List;
import java.util.Map;

/**
 * What one run came to.
 *
 * @param seconds length of the window that was measured
 * @param perSecond operations completed in a second
 * @param transactionsPerSecond database transactions committed in a second, without those that were refused
 * @param readShare of operations that were declared read-only, in per cent
 * @param all of all operations together
 * @param shortReads of those that are short by their nature, the other ones waiting beside them
 * @param errors by what the engine said, SQLSTATE first
 * @param warmupSeconds how many of {@code series} come before the window
 * @param series operations completed in each second since the clients began
 * @param cpuSeconds used in the window, by process; {@code load generator} is the harness itself
 * @param memoryBytes at the end of the window, by process: its share of what it has mapped (PSS); empty where the kernel
 *     does not tell
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
        Map<String, Long> memoryBytes) {
    public Measured {
        operations = List.copyOf(operations);
        errors = Map.copyOf(errors);
        series = List.copyOf(series);
        cpuSeconds = Map.copyOf(cpuSeconds);
        memoryBytes = Map.copyOf(memoryBytes);
    }

    /** Given up, all kinds together. */
    public long failures() {
        return operations.stream().mapToLong(Operation::errors).sum();
    }
}
