package io.multimed.server.os;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Number of bytes of memory that may still be used: the machine's available memory, or the rest of the limits of this process's
 * control groups, whichever is less. A process that exceeds the latter is killed, however much memory the machine has.
 */
public final class AvailableMemory implements LongSupplier {
    private final KernelFiles files;

    /** @param root "/", or a directory with copies of {@code sys/} and {@code proc/} files of another machine */
    public AvailableMemory(Path root) {
        files = new KernelFiles(root);
    }

    /** Returns the present number. */
    @Override
    public long getAsLong() {
        long machine = files.kilobytes("/proc/meminfo", "MemAvailable:").orElse(Long.MAX_VALUE);
        return Math.min(machine, new CgroupLimits(files).memoryLeft());
    }
}
