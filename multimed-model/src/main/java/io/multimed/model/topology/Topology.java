package io.multimed.model.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A machine, or the part of it that this process may use.
 *
 * @param name for people: a preset's name, or the host's
 * @param cores the usable cores (cpuset applied), nearest neighbours next to each other: sorted by kind, package, NUMA node,
 *     die, number; if NUMA nodes contain several packages, as on some hypervisors, by NUMA node before package
 * @param numaNodes at least one
 * @param memoryBytes usable memory: installed, or less by a limit
 * @param cpuQuota number of cpus whose time may be used, or {@link #NO_QUOTA}
 */
public record Topology(String name, List<Core> cores, List<NumaNode> numaNodes, long memoryBytes, double cpuQuota) {
    public static final double NO_QUOTA = Double.POSITIVE_INFINITY;

    public Topology {
        if (cores.isEmpty() || numaNodes.isEmpty()) {
            throw new IllegalArgumentException("a machine has at least one core and one NUMA node");
        }
        if (memoryBytes <= 0 || !(cpuQuota > 0)) {
            throw new IllegalArgumentException("memory and quota must be positive");
        }
        if (cores.stream().flatMapToInt(core -> core.cpus().stream()).distinct().count()
                != cores.stream().mapToInt(core -> core.cpus().size()).sum()) {
            throw new IllegalArgumentException("two cores name the same cpu");
        }
        Map<Integer, Integer> firstNodes = new HashMap<>();
        cores.forEach(core -> firstNodes.merge(core.packageNumber(), core.numaNode(), Math::min));
        cores = cores.stream()
                .sorted(Comparator.comparing(Core::kind)
                        .thenComparingInt(core -> firstNodes.getOrDefault(core.packageNumber(), 0))
                        .thenComparingInt(Core::packageNumber)
                        .thenComparingInt(Core::numaNode)
                        .thenComparingInt(Core::die)
                        .thenComparingInt(core -> core.cpus().stream().min().orElseThrow()))
                .toList();
        numaNodes = List.copyOf(numaNodes);
    }

    /** Returns every hardware thread that may be used. */
    public CpuSet cpus() {
        return cores.stream().map(Core::cpus).reduce(CpuSet.EMPTY, CpuSet::union);
    }

    /** Returns the number of cores whose time may be used: all cores, or fewer by a quota; at least one. */
    public int usableCores() {
        return Math.max(1, (int) Math.min(cores.size(), Math.floor(cpuQuota)));
    }

    /** Whether a quota allows less time than the cores have, so that other programs run on the same cores. */
    public boolean limitedByQuota() {
        return cpuQuota < cpus().size();
    }

    /**
     * Whether all cores are equally near to all memory and caches, as far as is known: some hypervisors show each core as a
     * package.
     */
    public boolean isUniform() {
        long nodes = cores.stream().map(Core::numaNode).distinct().count();
        long caches = cores.stream().map(Core::die).distinct().count();
        return nodes == 1 && (caches == 1 || caches == cores.size());
    }

    /** Returns the NUMA nodes next to these cpus; empty if those are all nodes, so that binding would have no effect. */
    public List<Integer> numaNodesOf(CpuSet cpus) {
        List<Integer> nodes = cores.stream()
                .filter(core -> core.cpus().intersects(cpus))
                .map(Core::numaNode)
                .distinct()
                .sorted()
                .toList();
        return nodes.size() < numaNodes.size() ? nodes : List.of();
    }

    /** Returns a machine in which all packages, dies and cores are alike. */
    public static Topology regular(String name, MachineShape shape, long memoryBytes) {
        List<Core> cores = new ArrayList<>();
        int coreCount = shape.packages() * shape.diesPerPackage() * shape.coresPerDie();
        for (int number = 0; number < coreCount; number++) {
            int die = number / shape.coresPerDie();
            int packageNumber = die / shape.diesPerPackage();
            int numaNode = shape.numaPerDie() ? die : packageNumber;
            List<Integer> cpus = new ArrayList<>();
            for (int thread = 0; thread < shape.threadsPerCore(); thread++) {
                // Linux on x86 numbers the first threads of all cores first, then the second threads.
                cpus.add(number + thread * coreCount);
            }
            cores.add(new Core(CpuSet.of(cpus), packageNumber, die, numaNode, CoreKind.PERFORMANCE));
        }
        int nodes = shape.numaPerDie() ? shape.packages() * shape.diesPerPackage() : shape.packages();
        List<NumaNode> numaNodes = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            numaNodes.add(new NumaNode(node, memoryBytes / nodes));
        }
        return new Topology(name, cores, numaNodes, memoryBytes, NO_QUOTA);
    }

    /** Returns the same machine under a cgroup's limits. */
    public Topology limited(double quota, long memoryLimitBytes) {
        return new Topology(name, cores, numaNodes, Math.min(memoryBytes, memoryLimitBytes), Math.min(cpuQuota, quota));
    }
}
