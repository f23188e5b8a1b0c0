package io.multimed.server.os;

import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.NumaNode;
import io.multimed.model.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the topology that Linux shows, reduced to the part that this process may use: its cpuset, its share of cpu time, its
 * memory.
 *
 * <p>Sources: Documentation/admin-guide/cputopology.rst, ABI/testing/sysfs-devices-system-cpu, ABI/stable/sysfs-devices-node.
 */
public final class LinuxTopologyReader {
    private static final String CPU = "/sys/devices/system/cpu/cpu";
    private static final String NODES = "/sys/devices/system/node";

    private final KernelFiles files;

    /** @param root "/", or a directory with copies of {@code sys/} and {@code proc/} files of another machine */
    public LinuxTopologyReader(Path root) {
        files = new KernelFiles(root);
    }

    /**
     * Reads the topology.
     *
     * @throws IllegalStateException if there are no files of Linux below the root; one sentence
     */
    public Topology read() {
        CpuSet usable = usableCpus();
        if (usable.isEmpty()) {
            throw new IllegalStateException("/sys/devices/system/cpu names no cpu that may be used");
        }
        Map<Integer, Integer> numaNodeOfCpu = new LinkedHashMap<>();
        List<NumaNode> numaNodes = numaNodes(usable, numaNodeOfCpu);
        CpuSet efficient = efficientCpus(usable);

        // Threads of one core have the same list of siblings; cores of one die share the same last-level cache.
        Map<String, List<Integer>> threads = new LinkedHashMap<>();
        Map<String, Integer> dies = new LinkedHashMap<>();
        usable.stream()
                .forEach(cpu -> threads.computeIfAbsent(siblings(cpu), siblings -> new ArrayList<>())
                        .add(cpu));
        List<Core> cores = new ArrayList<>();
        for (List<Integer> core : threads.values()) {
            int first = core.get(0);
            String die = lastLevelCache(first);
            cores.add(new Core(
                    CpuSet.of(core),
                    packageOf(first),
                    dies.computeIfAbsent(die, sharers -> dies.size()),
                    numaNodeOfCpu.getOrDefault(first, numaNodes.get(0).number()),
                    efficient.contains(first) ? CoreKind.EFFICIENCY : CoreKind.PERFORMANCE));
        }
        CgroupLimits limits = new CgroupLimits(files);
        return new Topology(
                files.text("/proc/sys/kernel/hostname").orElse("this machine"),
                cores,
                numaNodes,
                Math.min(installedMemory(), limits.memoryBytes()),
                limits.cpus());
    }

    /** Returns the online and allowed cpus: {@code Cpus_allowed_list} is the intersection of affinity and cpuset. */
    private CpuSet usableCpus() {
        CpuSet online =
                files.text("/sys/devices/system/cpu/online").map(CpuSet::parse).orElse(CpuSet.EMPTY);
        Optional<CpuSet> allowed = files.lines("/proc/self/status").stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .map(line -> CpuSet.parse(line.substring(line.indexOf(':') + 1)));
        return allowed.map(online::intersection).orElse(online);
    }

    private String siblings(int cpu) {
        // core_cpus_list is the newer name.
        return files.text(CPU + cpu + "/topology/core_cpus_list")
                .or(() -> files.text(CPU + cpu + "/topology/thread_siblings_list"))
                .filter(text -> !text.isEmpty())
                .orElse(Integer.toString(cpu));
    }

    private int packageOf(int cpu) {
        // Some hypervisors and boards report -1 for "unknown".
        return (int) Math.max(
                0, files.number(CPU + cpu + "/topology/physical_package_id").orElse(0));
    }

    private String lastLevelCache(int cpu) {
        String cache = CPU + cpu + "/cache";
        for (String index : files.names(cache, "index[0-9]+")) {
            if (files.number(cache + "/" + index + "/level").orElse(0) == 3) {
                return "cache "
                        + files.text(cache + "/" + index + "/shared_cpu_list").orElse("");
            }
        }
        return "package " + packageOf(cpu) + " die "
                + files.text(CPU + cpu + "/topology/die_id").orElse("0");
    }

    /** Returns the efficiency cores: those that Intel's kernel driver names, or those with a low capacity on arm64. */
    private CpuSet efficientCpus(CpuSet usable) {
        Optional<String> atoms = files.text("/sys/devices/cpu_atom/cpus");
        if (atoms.isPresent()) {
            return CpuSet.parse(atoms.get());
        }
        long most = 0;
        Map<Integer, Long> capacities = new LinkedHashMap<>();
        for (int cpu : usable.toList()) {
            OptionalLong capacity = files.number(CPU + cpu + "/cpu_capacity");
            if (capacity.isPresent()) {
                capacities.put(cpu, capacity.getAsLong());
                most = Math.max(most, capacity.getAsLong());
            }
        }
        long threshold = most * 3 / 4;
        return CpuSet.of(capacities.entrySet().stream()
                .filter(entry -> entry.getValue() < threshold)
                .map(Map.Entry::getKey)
                .toList());
    }

    private List<NumaNode> numaNodes(CpuSet usable, Map<Integer, Integer> numaNodeOfCpu) {
        List<NumaNode> found = new ArrayList<>();
        for (String name : files.names(NODES, "node[0-9]+")) {
            int number = Integer.parseInt(name.substring("node".length()));
            CpuSet cpus = files.text(NODES + "/" + name + "/cpulist")
                    .map(CpuSet::parse)
                    .orElse(CpuSet.EMPTY);
            if (cpus.intersects(usable)) {
                cpus.stream().forEach(cpu -> numaNodeOfCpu.put(cpu, number));
                found.add(new NumaNode(
                        number,
                        files.kilobytes(NODES + "/" + name + "/meminfo", "MemTotal:")
                                .orElse(0)));
            }
        }
        return found.isEmpty() ? List.of(new NumaNode(0, installedMemory())) : found;
    }

    private long installedMemory() {
        long bytes = files.kilobytes("/proc/meminfo", "MemTotal:").orElse(0);
        if (bytes == 0) {
            throw new IllegalStateException("/proc/meminfo does not tell how much memory there is");
        }
        return bytes;
    }
}
