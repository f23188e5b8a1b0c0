package io.multimed.model.plan;

import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.topology.Core;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Makes the System Model: the number of Satellites, and the cores and memory of each node. Pure; thread-safe. */
public final class Planner {
    /** The largest number of Satellites that a user can request. */
    public static final int MOST_SATELLITES = 64;

    private static final int CORES_PER_EVENT_LOOP_WHEN_SHARED = 4;

    /**
     * Number of cores of the middleware from which the relay has a core of its own. The relay uses a seventh of a core at 5,000
     * update transactions a second.
     */
    private static final int FEWEST_CORES_TO_SET_RELAY_APART = 6;

    private Planner() {}

    /**
     * Makes a plan.
     *
     * @throws IllegalArgumentException if the request cannot be met on this machine; the message gives the reason in one
     *     sentence
     */
    public static SystemModel plan(Topology topology, PlanRequest request) {
        int satellites = request.satellites().orElseGet(() -> defaultSatellites(topology));
        check(topology, request, satellites);
        List<PartRequest> parts = request.parts();
        int all = satellites + parts.size();
        CorePlacement.Result cores = PartCores.apart(CorePlacement.place(topology, all, request), topology, parts);
        int apart =
                (int) parts.stream().filter(part -> part.cores().isPresent()).count();
        List<NodePlan> nodes = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            boolean own = i >= satellites && parts.get(i - satellites).cores().isPresent();
            nodes.add(node(
                    topology,
                    request,
                    i < satellites
                            ? NodeId.satellite(i + 1)
                            : parts.get(i - satellites).id(),
                    cores.satellites().get(i),
                    own || cores.sharing() == Sharing.DEDICATED ? 1 : all - apart,
                    MemoryPlan.satellite(topology.memoryBytes(), all)));
        }
        NodePlan master = node(
                topology, request, NodeId.MASTER, cores.master(), 1, MemoryPlan.master(topology.memoryBytes(), all));
        return new SystemModel(
                topology,
                cores.sharing(),
                middleware(topology, cores),
                master,
                nodes,
                notes(topology, request, satellites));
    }

    /**
     * Returns the default number of Satellites. It is none below 3 GB of memory, one below 8 cores, two below 16 cores, three below
     * 32 cores, else five. On a uniform machine with 8 cores or more it is two below 32 cores, else three: one Satellite can use
     * all cores as well as several can, so the others only serve as reserve, and each executes reads that would be the same on
     * another. There is at least a gigabyte and a half of memory for each.
     */
    static int defaultSatellites(Topology topology) {
        long memory = topology.memoryBytes();
        if (memory < MemoryPlan.LEAST_FOR_SATELLITE) {
            return 0;
        }
        int cores = topology.usableCores();
        int byCores = cores < CorePlacement.FEWEST_DEDICATED
                ? 1
                : topology.isUniform() ? (cores < 32 ? 2 : 3) : cores < 16 ? 2 : cores < 32 ? 3 : 5;
        long byMemory = memory / (3 * MemoryPlan.GIB / 2);
        return (int) Math.min(byCores, byMemory);
    }

    private static void check(Topology topology, PlanRequest request, int satellites) {
        int all = satellites + request.parts().size();
        if (satellites < 0 || satellites > MOST_SATELLITES) {
            throw new IllegalArgumentException(
                    "satellites must be from 0 to " + MOST_SATELLITES + ", not " + satellites);
        }
        int cores = topology.cores().size();
        int middleware = request.middlewareCores().orElse(1);
        int master = request.masterCores().orElse(1);
        if (middleware < 1 || master < 1) {
            throw new IllegalArgumentException("the middleware and the master need at least one core each");
        }
        boolean asked =
                request.middlewareCores().isPresent() || request.masterCores().isPresent();
        if (asked && (long) middleware + master + (all > 0 ? 1 : 0) > cores) {
            throw new IllegalArgumentException("middleware.cores (" + middleware + ") and nodes.master.cores (" + master
                    + ") do not fit beside " + all + " satellites on a machine of " + cores + " cores");
        }
        request.nodes().forEach((id, wanted) -> {
            CpuSet missing = wanted.cpus().minus(topology.cpus());
            if (!missing.isEmpty()) {
                throw new IllegalArgumentException(
                        "nodes." + id + ".cpus: " + missing + " cannot be used here, only " + topology.cpus());
            }
        });
    }

    /** @param alike number of nodes of its kind that use the same cores, itself included */
    private static NodePlan node(
            Topology topology, PlanRequest request, NodeId id, CpuSet placed, int alike, long memory) {
        boolean master = id.equals(NodeId.MASTER);
        NodeRequest wanted = request.node(id);
        CpuSet cpus = wanted.cpus().isEmpty() ? placed : wanted.cpus();
        int share = wanted.cpus().isEmpty() ? share(topology, placed, alike) : cpus.size();
        Map<String, String> settings = new TreeMap<>();
        if (!master) {
            settings.putAll(request.satelliteSettings());
        }
        settings.putAll(wanted.settings());
        return new NodePlan(
                id,
                master ? Role.MASTER : Role.SATELLITE,
                cpus,
                share,
                topology.numaNodesOf(cpus),
                memory,
                master ? Storage.DISK : request.storage(),
                settings);
    }

    private static int share(Topology topology, CpuSet cpus, int alike) {
        int usable = (int) Math.max(1, Math.min(cpus.size(), Math.floor(topology.cpuQuota())));
        return (usable + alike - 1) / alike;
    }

    private static MiddlewarePlan middleware(Topology topology, CorePlacement.Result cores) {
        CpuSet all = cores.middleware();
        List<Core> own = topology.cores().stream()
                .filter(core -> core.cpus().intersects(all))
                .toList();
        if (cores.sharing() == Sharing.SHARED || cores.sharing() == Sharing.RESERVED) {
            int loops = Math.max(1, topology.usableCores() / CORES_PER_EVENT_LOOP_WHEN_SHARED);
            return new MiddlewarePlan(all, all, all, loops);
        }
        if (own.size() < FEWEST_CORES_TO_SET_RELAY_APART) {
            return new MiddlewarePlan(all, all, all, own.size());
        }
        CpuSet relay = own.get(own.size() - 1).cpus();
        return new MiddlewarePlan(all, relay, all.minus(relay), own.size() - 1);
    }

    private static List<String> notes(Topology topology, PlanRequest request, int satellites) {
        List<String> notes = new ArrayList<>();
        if (satellites == 0 && request.satellites().isEmpty()) {
            notes.add("Less than 3 GB of memory: no satellite by default; the master serves everything.");
        }
        if (topology.limitedByQuota()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "A quota of %.1f cpus on %d: nothing is bound to cores, since others run on them too.",
                    topology.cpuQuota(),
                    topology.cpus().size()));
        }
        request.nodes().keySet().stream()
                .filter(id -> !id.equals(NodeId.MASTER)
                        && IntStream.rangeClosed(1, satellites)
                                .mapToObj(NodeId::satellite)
                                .noneMatch(id::equals)
                        && request.parts().stream().map(PartRequest::id).noneMatch(id::equals))
                .forEach(id ->
                        notes.add("nodes." + id + " is not used: the number of satellites is " + satellites + "."));
        return notes;
    }
}
