package io.multimed.engine.process;

import java.util.List;

/**
 * The cores on which threads run, and the NUMA nodes from which their memory comes.
 *
 * @param cores the kernel's numbers of logical processors; empty: wherever the kernel likes
 * @param memoryNodes the kernel's numbers of NUMA nodes; empty: wherever the kernel likes
 */
public record CoreBinding(List<Integer> cores, List<Integer> memoryNodes) {
    public static final CoreBinding NONE = new CoreBinding(List.of(), List.of());

    public CoreBinding {
        cores = List.copyOf(cores);
        memoryNodes = List.copyOf(memoryNodes);
    }

    public static CoreBinding toCores(List<Integer> cores) {
        return new CoreBinding(cores, List.of());
    }
}
