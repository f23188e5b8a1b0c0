package io.multimed.server.os;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * How many bytes of memory may still be taken: what the machine has, or what is left of the limits of this process's
 * control groups, whichever is less. Whoever takes more than the latter is killed, however much the machine has.
 */
public final class AvailableMemory implements LongSupplier {
    private final KernelFiles files;

    /** @param root "/", or a directory that holds copies of {@code sys/} and {@code proc/} files of another machine */
    public AvailableMemory(Path root) {
        files = new KernelFiles(root);
    }

    /** As of now. */
    @Override
    public long getAsLong() {
        long machine = files.kilobytes("/proc/meminfo", "MemAvailable:").orElse(Long.MAX_VALUE);
        return Math.min(machine, new CgroupLimits(files).memoryLeft());
    }
}
