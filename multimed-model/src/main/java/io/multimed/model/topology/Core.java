package io.multimed.model.topology;

/**
 * One physical core.
 *
 * @param cpus its hardware threads; more than one with SMT
 * @param packageNumber the socket it sits in
 * @param die the cores that share a last-level cache with it: unique in the machine
 * @param numaNode whose memory is next to it
 * @param kind performance or efficiency
 */
public record Core(CpuSet cpus, int packageNumber, int die, int numaNode, CoreKind kind) {
    public Core {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a core without a hardware thread");
        }
    }
}
