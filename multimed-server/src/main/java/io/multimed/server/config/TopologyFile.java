package io.multimed.server.config;

import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.NumaNode;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A machine described in files: {@code multimed plan --topology} takes the name of a preset, a TOML file of the same form, or a
 * directory that contains another machine's {@code sys} and {@code proc}.
 *
 * @param topology the machine
 * @param middlewareCores the number of cores that the description recommends for the middleware, if any
 * @param masterCores the number that it recommends for the Master, if any
 */
public record TopologyFile(Topology topology, OptionalInt middlewareCores, OptionalInt masterCores) {
    /** Names of the presets in {@code topologies/} beside this class. */
    public static final List<String> PRESETS =
            List.of("arm64-64", "epyc-64", "hybrid-laptop", "opteron-48", "vm-2", "xeon-2s");

    private static final int MOST = 8192;

    /**
     * Finds a machine.
     *
     * @param name a preset, a file or a directory
     */
    public static TopologyFile of(String name) throws ConfigurationException {
        Path path = Path.of(name);
        if (PRESETS.contains(name)) {
            return preset(name);
        }
        if (Files.isDirectory(path)) {
            return recorded(path);
        }
        if (Files.exists(path)) {
            List<String> problems = new ArrayList<>();
            return read(TomlTable.read(path, problems), name, problems);
        }
        throw new ConfigurationException(
                "--topology: there is no file and no preset \"" + name + "\"; " + Suggestion.of(name, PRESETS));
    }

    private static TopologyFile preset(String name) throws ConfigurationException {
        try (InputStream in = TopologyFile.class.getResourceAsStream("topologies/" + name + ".toml")) {
            if (in == null) {
                throw new IllegalStateException("preset " + name + " is not packaged");
            }
            List<String> problems = new ArrayList<>();
            String toml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return read(TomlTable.parse(toml, name, problems), name, problems);
        } catch (IOException e) {
            throw new ConfigurationException("--topology: preset " + name + " cannot be read: " + e.getMessage());
        }
    }

    private static TopologyFile recorded(Path root) throws ConfigurationException {
        try {
            return new TopologyFile(
                    new LinuxTopologyReader(root.toAbsolutePath()).read(), OptionalInt.empty(), OptionalInt.empty());
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new ConfigurationException("--topology: " + root + ": " + e.getMessage());
        }
    }

    private static TopologyFile read(TomlTable root, String source, List<String> problems)
            throws ConfigurationException {
        String name = root.text("name").orElse(source);
        long memory = 0;
        try {
            memory = ByteSize.parse(root.text("memory").orElse(""));
        } catch (IllegalArgumentException e) {
            root.problem("memory", String.valueOf(e.getMessage()));
        }
        OptionalInt middleware = root.integer("middleware_cores", 1, MOST);
        OptionalInt master = root.integer("master_cores", 1, MOST);
        boolean irregular = root.has("core");
        List<Core> cores = cores(root);
        TomlTable shapeTable = root.table("shape");
        boolean regular = root.has("shape");
        MachineShape shape = shape(shapeTable);
        shapeTable.end();
        root.end();
        if (regular == irregular) {
            problems.add(source + ": must have either a [shape] or a list of [[core]]");
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        try {
            Topology topology = regular
                    ? Topology.regular(name, shape, memory)
                    : new Topology(name, cores, numaNodes(cores, memory), memory, Topology.NO_QUOTA);
            return new TopologyFile(topology, middleware, master);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(source + ": " + e.getMessage());
        }
    }

    private static MachineShape shape(TomlTable table) {
        int packages = table.integer("packages", 1, MOST).orElse(1);
        int dies = table.integer("dies_per_package", 1, MOST).orElse(1);
        int cores = table.integer("cores_per_die", 1, MOST).orElse(1);
        int threads = table.integer("threads_per_core", 1, 8).orElse(1);
        boolean numaPerDie = table.flag("numa_per_die", false);
        try {
            return new MachineShape(packages, dies, cores, threads, numaPerDie);
        } catch (IllegalArgumentException e) {
            table.problem("cores_per_die", String.valueOf(e.getMessage()));
            return new MachineShape(1, 1, 1, 1, false);
        }
    }

    private static List<Core> cores(TomlTable root) {
        List<Core> cores = new ArrayList<>();
        for (TomlTable table : root.tables("core")) {
            CpuSet cpus = CpuSet.EMPTY;
            try {
                cpus = CpuSet.parse(table.text("cpus").orElse(""));
            } catch (IllegalArgumentException e) {
                table.problem("cpus", String.valueOf(e.getMessage()));
            }
            String kind = table.text("kind").orElse("performance");
            if (!kind.equals("performance") && !kind.equals("efficiency")) {
                table.problem("kind", "must be performance or efficiency, not \"" + kind + "\"");
            }
            int packageNumber = table.integer("package", 0, MOST).orElse(0);
            int die = table.integer("die", 0, MOST).orElse(0);
            int numa = table.integer("numa", 0, MOST).orElse(0);
            if (cpus.isEmpty()) {
                table.problem("cpus", "must name the hardware threads of the core, such as \"0,32\"");
            } else {
                CoreKind coreKind = kind.equals("efficiency") ? CoreKind.EFFICIENCY : CoreKind.PERFORMANCE;
                cores.add(new Core(cpus, packageNumber, die, numa, coreKind));
            }
            table.end();
        }
        return cores;
    }

    private static List<NumaNode> numaNodes(List<Core> cores, long memory) {
        TreeMap<Integer, Integer> coresOf = new TreeMap<>();
        cores.forEach(core -> coresOf.merge(core.numaNode(), 1, Integer::sum));
        return coresOf.keySet().stream()
                .map(number -> new NumaNode(number, memory / coresOf.size()))
                .toList();
    }
}
