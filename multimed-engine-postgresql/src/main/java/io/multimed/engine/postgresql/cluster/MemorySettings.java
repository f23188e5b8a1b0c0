package io.multimed.engine.postgresql.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The division of an engine's memory (PostgreSQL manual, section "Resource Consumption").
 *
 * <p>A quarter is for shared buffers, as the manual advises, since the rest serves as the kernel's cache of the same files.
 * Maintenance and sorts get as much as a few dozen backends can use without exceeding the whole.
 *
 * <p>The log between two checkpoints takes memory as well: the kernel's cache, and that of each Satellite, which keeps it from
 * one restart point to the next. But after a checkpoint every page is written to the log whole when it is first changed, and
 * that log is sent, kept and replayed. With PostgreSQL's 1 GB and 5 minutes, TPC-B at 2,000 transactions a second hardly ever
 * changes a page twice in between, and a transaction costs the whole system 575 us instead of 500.
 */
public final class MemorySettings {
    private static final long MB = 1L << 20;

    private MemorySettings() {}

    /** @param budgetBytes all the memory that the engine and its share of the page cache may take */
    public static Map<String, String> of(long budgetBytes) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("shared_buffers", megabytes(clamp(budgetBytes / 4, 32 * MB, 32768 * MB)));
        settings.put("effective_cache_size", megabytes(clamp(budgetBytes * 3 / 4, 64 * MB, Long.MAX_VALUE)));
        settings.put("maintenance_work_mem", megabytes(clamp(budgetBytes / 16, 16 * MB, 2047 * MB)));
        settings.put("work_mem", megabytes(clamp(budgetBytes / 256, 4 * MB, 256 * MB)));
        settings.put("max_wal_size", megabytes(clamp(budgetBytes / 6, 1024 * MB, 8192 * MB)));
        settings.put("checkpoint_timeout", "15min");
        return settings;
    }

    /**
     * Returns the shared buffers of a copy in memory. Buffers beyond the size of the data hold nothing, but DROP, TRUNCATE and
     * REFRESH search all of them during replay, and every strong read waits for that: 0.4 ms for each GB. A copy that outgrows its
     * buffers reads the rest from memory all the same (8 % slower).
     *
     * @param budgetBytes as for {@link #of}
     * @param dataBytes size of the copy
     */
    static String buffersOfCopyInMemory(long budgetBytes, long dataBytes) {
        long most = clamp(budgetBytes / 4, 32 * MB, 32768 * MB);
        return megabytes(Math.min(most, Math.max(1024 * MB, 2 * dataBytes)));
    }

    private static long clamp(long value, long least, long most) {
        return Math.max(least, Math.min(most, value));
    }

    private static String megabytes(long bytes) {
        return bytes / MB + "MB";
    }
}
