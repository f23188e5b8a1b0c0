package io.multimed.model.topology;

/**
 * One physical core.
 *
 * @param cpus its hardware threads; more than one with SMT
 * @param packageNumber number of its socket
 * @param die number, unique in the machine, of the group of cores that share a last-level cache with it
 * @param numaNode number of the NUMA node to which it belongs
 * @param kind performance or efficiency
 */
public record Core(CpuSet cpus, int packageNumber, int die, int numaNode, CoreKind kind) {
    public Core {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a core without a hardware thread");
        }
    }
}
