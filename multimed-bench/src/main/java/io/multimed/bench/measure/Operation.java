package io.multimed.bench.measure;

/**
 * One kind of operation in the window that was measured.
 *
 * @param share of all operations, in per cent
 * @param intended the share that the benchmark states, in per cent
 * @param retries transactions that were begun again after the engine had refused them for a conflict
 * @param errors operations that were given up
 */
public record Operation(
        String name,
        String title,
        boolean readOnly,
        long count,
        double share,
        double intended,
        Latency latency,
        long retries,
        long errors) {}
