package io.multimed.model.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.NodeId;
import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.NumaNode;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invariants of every plan, on machines of all sizes and kinds. */
class PlannerInvariantsTest {
    private static final int[] CORES = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 96, 128, 256};
    private static final int[] SATELLITES = {0, 1, 2, 3, 4, 5, 7, 10, 16, 33, 64};
    private static final int DIE = 8;

    static Stream<Arguments> machines() {
        List<Topology> machines = new ArrayList<>();
        for (int cores : CORES) {
            long memory = cores * 4L * Machines.GB;
            machines.add(Topology.regular("flat", new MachineShape(1, 1, cores, 1, false), memory));
            machines.add(Topology.regular("SMT", new MachineShape(1, 1, cores, 2, false), memory));
            machines.add(machine("cpus as sockets", cores, 1, 1, cores));
            if (cores % 2 == 0) {
                machines.add(Topology.regular("2 sockets, SMT", new MachineShape(2, 1, cores / 2, 2, false), memory));
                machines.add(machine("cpus as sockets, 2 NUMA nodes", cores, 1, 1, cores / 2));
            }
            if (cores % 4 == 0) {
                machines.add(Topology.regular("4 sockets", new MachineShape(4, 1, cores / 4, 1, false), memory));
                machines.add(machine("4 NUMA nodes per socket", cores, cores, 1, cores / 4));
            }
            if (cores % DIE == 0) {
                int dies = cores / DIE;
                machines.add(Topology.regular("dies", new MachineShape(1, dies, DIE, 2, false), memory));
                machines.add(Topology.regular("memory per die", new MachineShape(1, dies, DIE, 2, true), memory));
                machines.add(machine("memory per two dies", cores, cores, DIE, 2 * DIE));
            }
        }
        machines.add(Machines.opteron48());
        machines.add(Machines.hybridLaptop());
        return machines.stream()
                .map(machine -> Arguments.of(machine.cores().size() + " cores, " + machine.name(), machine));
    }

    /** Returns a machine with two threads per core and with cores numbered across NUMA nodes, as some firmware does. */
    private static Topology machine(String name, int cores, int perPackage, int perDie, int perNode) {
        int nodes = Math.max(1, cores / perNode);
        List<Core> all = new ArrayList<>();
        for (int core = 0; core < cores; core++) {
            int node = Math.min(core / perNode, nodes - 1);
            int number = core % perNode * nodes + node;
            all.add(new Core(
                    CpuSet.of(number, number + cores), core / perPackage, core / perDie, node, CoreKind.PERFORMANCE));
        }
        long memory = cores * 4L * Machines.GB;
        return new Topology(
                name,
                all,
                IntStream.range(0, nodes)
                        .mapToObj(node -> new NumaNode(node, memory / nodes))
                        .toList(),
                memory,
                Topology.NO_QUOTA);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("machines")
    void holdForEveryNumberOfSatellites(String name, Topology machine) {
        check(Planner.plan(machine, PlanRequest.DEFAULT), "by itself");
        for (int satellites : SATELLITES) {
            SystemModel plan = Planner.plan(machine, PlanRequest.DEFAULT.withSatellites(satellites));
            assertEquals(satellites, plan.satellites().size());
            String what = check(plan, satellites + " satellites");
            int master = coresOf(machine, plan.master().cpus());
            for (NodePlan satellite : plan.satellites()) {
                assertTrue(
                        plan.sharing() != Sharing.DEDICATED || 2 * master >= coresOf(machine, satellite.cpus()),
                        "the master has too few: " + what);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("machines")
    void whoeverAsksForCoresGetsThem(String name, Topology machine) {
        int cores = machine.cores().size();
        for (int satellites : new int[] {0, 1, 3, 10, 64}) {
            for (int middleware = 1; middleware <= cores / 2; middleware *= 4) {
                for (int master = 1; middleware + master < cores; master *= 4) {
                    SystemModel plan = Planner.plan(
                            machine,
                            PlanRequest.DEFAULT.withSatellites(satellites).withCores(middleware, master));
                    String what = middleware + " + " + master + " cores, " + satellites + " satellites";
                    check(plan, what);
                    assertEquals(middleware, coresOf(machine, plan.middleware().cpus()), what);
                    assertEquals(master, coresOf(machine, plan.master().cpus()), what);
                    assertNotEquals(Sharing.ENGINES_SHARE, plan.sharing(), what);
                }
                if (middleware + 1 < cores) {
                    SystemModel plan = Planner.plan(
                            machine,
                            new PlanRequest(
                                    OptionalInt.of(satellites),
                                    OptionalInt.of(middleware),
                                    OptionalInt.empty(),
                                    Storage.MEMORY,
                                    Map.of(),
                                    Map.of()));
                    String what = middleware + " cores for the middleware, " + satellites + " satellites";
                    check(plan, what);
                    assertEquals(middleware, coresOf(machine, plan.middleware().cpus()), what);
                }
            }
        }
    }

    /** @return the plan as text */
    private static String check(SystemModel plan, String request) {
        Topology machine = plan.topology();
        String what = request + ": " + plan.sharing() + ", middleware "
                + plan.middleware().cpus() + ", master "
                + plan.master().cpus() + ", satellites "
                + plan.satellites().stream().map(NodePlan::cpus).toList();
        Map<String, CpuSet> parts = new LinkedHashMap<>();
        parts.put("middleware", plan.middleware().cpus());
        parts.put("master", plan.master().cpus());
        plan.satellites().forEach(satellite -> parts.put(satellite.id().name(), satellite.cpus()));
        parts.forEach((part, cpus) -> {
            assertFalse(cpus.isEmpty(), part + " has no core: " + what);
            assertTrue(cpus.minus(machine.cpus()).isEmpty(), part + " has cores that there are not: " + what);
            for (Core core : machine.cores()) {
                CpuSet shared = core.cpus().intersection(cpus);
                assertTrue(shared.isEmpty() || shared.equals(core.cpus()), part + " has half a core: " + what);
            }
        });
        checkSharing(plan, what);
        checkShares(plan, what);
        checkMemory(plan, what);
        MiddlewarePlan middleware = plan.middleware();
        assertTrue(middleware.relayCpus().minus(middleware.cpus()).isEmpty(), what);
        assertTrue(middleware.loopCpus().minus(middleware.cpus()).isEmpty(), what);
        assertTrue(middleware.eventLoops() <= machine.cores().size(), what);
        return what;
    }

    /** Checks that the nodes share the cores as the plan's kind of sharing requires. */
    private static void checkSharing(SystemModel plan, String what) {
        Topology machine = plan.topology();
        CpuSet middleware = plan.middleware().cpus();
        CpuSet master = plan.master().cpus();
        List<CpuSet> satellites = plan.satellites().stream().map(NodePlan::cpus).toList();
        switch (plan.sharing()) {
            case SHARED -> {
                assertEquals(Set.of(machine.cpus()), union(middleware, master, satellites), what);
                assertFalse(plan.binds(plan.master()), what);
            }
            case RESERVED -> {
                assertEquals(machine.cpus(), middleware, what);
                assertEquals(machine.cpus(), master, what);
                for (CpuSet satellite : satellites) {
                    int kept = machine.cores().size() - coresOf(machine, satellite);
                    assertTrue(kept == 1 || kept == 2, what);
                }
            }
            case ENGINES_SHARE -> {
                assertFalse(middleware.intersects(master), what);
                assertEquals(machine.cpus(), middleware.union(master), what);
                assertEquals(1, Set.copyOf(satellites).size(), what);
                CpuSet kept = master.minus(satellites.get(0));
                assertEquals(master, kept.union(satellites.get(0)), what);
                assertFalse(kept.isEmpty(), what);
            }
            case SATELLITES_SHARE -> {
                assertFalse(middleware.intersects(master), what);
                assertEquals(1, Set.copyOf(satellites).size(), what);
                assertFalse(satellites.get(0).intersects(middleware.union(master)), what);
            }
            case DEDICATED -> {
                CpuSet used = CpuSet.EMPTY;
                for (CpuSet part : Stream.concat(Stream.of(middleware, master), satellites.stream())
                        .toList()) {
                    assertFalse(used.intersects(part), what);
                    used = used.union(part);
                }
                assertEquals(machine.cpus().minus(used), plan.spare(), what);
                checkSatellites(plan, what);
            }
        }
    }

    /** Checks that Satellites that use the same cores do not each count on all of them. */
    private static void checkShares(SystemModel plan, String what) {
        Map<CpuSet, List<NodePlan>> bySet = plan.satellites().stream().collect(Collectors.groupingBy(NodePlan::cpus));
        bySet.forEach((cpus, alike) -> {
            int counted = alike.stream().mapToInt(NodePlan::share).sum();
            assertTrue(counted >= Math.min(cpus.size(), plan.topology().cpuQuota()), what);
            assertTrue(counted < cpus.size() + alike.size(), what);
        });
        assertEquals(plan.master().cpus().size(), plan.master().share(), what);
    }

    private static void checkSatellites(SystemModel plan, String what) {
        Topology machine = plan.topology();
        List<Integer> sizes = plan.satellites().stream()
                .map(satellite -> coresOf(machine, satellite.cpus()))
                .toList();
        assertTrue(Set.copyOf(sizes).size() <= 1, "satellites differ: " + what);
        for (NodePlan satellite : plan.satellites()) {
            ToIntFunction<Core> domain = domain(machine);
            assertTrue(
                    sizes.get(0) > smallest(machine, domain)
                            || domains(machine, satellite.cpus(), domain).size() == 1,
                    satellite.id() + " lies in several packages: " + what);
            List<Integer> nodes = domains(machine, satellite.cpus(), Core::numaNode).stream()
                    .sorted()
                    .toList();
            assertEquals(nodes.size() == machine.numaNodes().size() ? List.of() : nodes, satellite.numaNodes(), what);
        }
    }

    /** Returns the domain that should contain a whole Satellite: the package, or the NUMA node if that has several packages. */
    private static ToIntFunction<Core> domain(Topology machine) {
        long packages =
                machine.cores().stream().map(Core::packageNumber).distinct().count();
        boolean nodesHoldPackages =
                machine.numaNodes().size() > 1 && machine.numaNodes().size() < packages;
        return nodesHoldPackages ? Core::numaNode : Core::packageNumber;
    }

    /** Checks that the engines together leave memory for the system, the middleware and the Satellites' data. */
    private static void checkMemory(SystemModel plan, String what) {
        long engines = plan.master().memoryBytes()
                + plan.satellites().stream().mapToLong(NodePlan::memoryBytes).sum();
        assertTrue(engines < plan.topology().memoryBytes(), what);
        if (!plan.satellites().isEmpty()) {
            assertTrue(engines <= plan.topology().memoryBytes() * 3 / 4, what);
            assertTrue(plan.master().memoryBytes() >= plan.satellites().get(0).memoryBytes(), what);
        }
    }

    @Test
    void aNodeThatIsGivenCpusIsBoundToThemWhereverTheOthersRun() {
        PlanRequest request = new PlanRequest(
                OptionalInt.of(1),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Storage.MEMORY,
                Map.of(),
                Map.of(NodeId.satellite(1), new NodeRequest(CpuSet.parse("1"), Map.of())));
        SystemModel plan = Planner.plan(Machines.flat(2), request);
        assertEquals(Sharing.SHARED, plan.sharing());
        assertTrue(plan.binds(plan.satellites().get(0)));
        assertFalse(plan.binds(plan.master()));
        SystemModel large = Planner.plan(Machines.flat(16), PlanRequest.DEFAULT);
        assertTrue(large.binds(large.master()));
    }

    private static Set<CpuSet> union(CpuSet middleware, CpuSet master, List<CpuSet> satellites) {
        return Stream.concat(Stream.of(middleware, master), satellites.stream()).collect(Collectors.toSet());
    }

    private static int coresOf(Topology machine, CpuSet cpus) {
        return (int) machine.cores().stream()
                .filter(core -> core.cpus().intersects(cpus))
                .count();
    }

    private static Set<Integer> domains(Topology machine, CpuSet cpus, ToIntFunction<Core> domain) {
        return machine.cores().stream()
                .filter(core -> core.cpus().intersects(cpus))
                .map(domain::applyAsInt)
                .collect(Collectors.toSet());
    }

    private static int smallest(Topology machine, ToIntFunction<Core> domain) {
        return machine.cores().stream()
                .collect(Collectors.groupingBy(domain::applyAsInt, Collectors.counting()))
                .values()
                .stream()
                .mapToInt(Long::intValue)
                .min()
                .orElseThrow();
    }
}
