package io.multimed.bench.system;

import java.util.List;

/**
 * The resources that are the same for every system.
 *
 * @param workspace where it may write
 * @param binaries the engines' programs
 * @param clients that will connect at once
 * @param memoryBytes that engines, their caches of files and copies may take in all
 * @param cores the kernel's numbers of the logical processors that a system may use; empty: all
 * @param launcher the command that runs {@code multimed}
 * @param <B> the engines' programs
 */
public record Equipment<B>(
        Workspace workspace, B binaries, int clients, long memoryBytes, List<Integer> cores, List<String> launcher) {
    public Equipment {
        cores = List.copyOf(cores);
        launcher = List.copyOf(launcher);
    }

    /** Returns the number of logical processors that a system may use. */
    public int processors() {
        return cores.isEmpty() ? Runtime.getRuntime().availableProcessors() : cores.size();
    }
}
