package io.multimed.model.plan;

import static io.multimed.model.plan.Machines.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.NodeId;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    private static final PlanRequest DEFAULT = PlanRequest.DEFAULT;

    static Stream<Arguments> placements() {
        return Stream.of(
                // The paper gave the middleware and the Master four cores each.
                row(
                        Machines.opteron48(),
                        DEFAULT.withSatellites(10).withCores(4, 4),
                        "0-3 4-7 8-11 12-15 16-19 20-23 24-27 28-31 32-35 36-39 40-43 44-47"),
                row(
                        Machines.opteron48(),
                        DEFAULT.withSatellites(5).withCores(4, 4),
                        "0-3 4-7 18-23 24-29 30-35 36-41 42-47"),
                row(Machines.opteron48(), DEFAULT.withSatellites(3).withCores(4, 4), "0-3 4-7 12-23 24-35 36-47"),
                // Without requests the planner places Satellites alike and gives the Master the remaining cores.
                row(
                        Machines.opteron48(),
                        DEFAULT.withSatellites(10),
                        "0-3 4-7 8-11 12-15 16-19 20-23 24-27 28-31 32-35 36-39 40-43 44-47"),
                row(Machines.opteron48(), DEFAULT.withSatellites(5), "0-3 4-17 18-23 24-29 30-35 36-41 42-47"),
                row(Machines.opteron48(), DEFAULT.withSatellites(3), "0-3 4-11 12-23 24-35 36-47"),
                row(Machines.opteron48(), DEFAULT.withSatellites(0), "0-3 4-47"),
                row(Machines.flat(1), DEFAULT, "0 0 0"),
                row(Machines.flat(2), DEFAULT, "0-1 0-1 0-1"),
                row(Machines.flat(3), DEFAULT, "0-2 0-2 0-2"),
                row(Machines.flat(4), DEFAULT, "0-3 0-3 1-3"),
                row(Machines.flat(6), DEFAULT, "0-5 0-5 2-5"),
                row(Machines.flat(7), DEFAULT.withSatellites(2), "0-6 0-6 2-6 2-6"),
                row(Machines.flat(4), DEFAULT.withCores(1, 1), "0 1 2-3"),
                // If all cores share one cache, the engines share the cores that the middleware leaves.
                row(Machines.flat(8), DEFAULT, "0-1 2-7 3-7 3-7"),
                row(Machines.flat(8), DEFAULT.withSatellites(0), "0-1 2-7"),
                row(Machines.flat(12), DEFAULT, "0-1 2-11 4-11 4-11"),
                row(Machines.flat(16), DEFAULT, "0-2 3-15 5-15 5-15"),
                row(Machines.flat(16), middleware(5), "0-4 5-15 7-15 7-15"),
                row(Machines.flat(8), middleware(6).withSatellites(1), "0-5 6-7 7"),
                row(Machines.flat(8), DEFAULT.withCores(2, 2), "0-1 2-3 4-5 6-7"),
                row(Machines.flat(16), DEFAULT.withSatellites(3).withCores(2, 5), "0-1 2-6 7-9 10-12 13-15"),
                row(Machines.flat(8), DEFAULT.withSatellites(7).withCores(2, 2), "0-1 2-3 4-7 4-7 4-7 4-7 4-7 4-7 4-7"),
                row(
                        Machines.epyc64(),
                        DEFAULT,
                        "0-4,64-68 5-23,69-87 24-31,88-95 32-39,96-103 40-47,104-111 48-55,112-119 56-63,120-127"),
                row(Machines.epyc64(), DEFAULT.withSatellites(1), "0-4,64-68 5-31,69-95 32-63,96-127"),
                row(Machines.xeon2s(), DEFAULT.withSatellites(1), "0-1,32-33 2-15,34-47 16-31,48-63"),
                row(
                        Machines.xeon2s(),
                        DEFAULT.withSatellites(3),
                        "0-1,32-33 2-8,34-40 9-15,41-47 18-24,50-56 25-31,57-63"),
                row(Machines.arm64(), DEFAULT, "0-7 8-63 19-63 19-63 19-63"),
                row(Machines.socketPerCpu16(), DEFAULT, "0-1 2-3 4-7 8-11 12-15"),
                row(Machines.socketPerCpuOneNode16(), DEFAULT, "0-2 3-15 5-15 5-15"),
                row(Machines.hybridLaptop(), DEFAULT, "0-3 4-19 8-19 8-19"),
                row(Machines.flat(64).limited(2, 8 * GB), DEFAULT, "0-63 0-63 0-63"));
    }

    private static PlanRequest middleware(int cores) {
        return new PlanRequest(
                OptionalInt.empty(), OptionalInt.of(cores), OptionalInt.empty(), Storage.MEMORY, Map.of(), Map.of());
    }

    private static Arguments row(Topology machine, PlanRequest request, String expected) {
        return Arguments.of(machine.name(), machine, request, expected);
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("placements")
    void placesMiddlewareMasterAndSatellites(String name, Topology machine, PlanRequest request, String expected) {
        assertEquals(expected, drawn(Planner.plan(machine, request)));
    }

    static List<Arguments> placementsWithParts() {
        OptionalInt open = OptionalInt.empty();
        return List.of(
                parts(Machines.flat(2), 1, open, "0-1 0-1 0-1 0-1"),
                parts(Machines.flat(2), 0, open, "0-1 0-1 0-1"),
                parts(Machines.flat(2), 1, OptionalInt.of(1), "0 0 0 1"),
                parts(Machines.flat(4), 1, OptionalInt.of(1), "0-2 0-2 1-2 3"),
                parts(Machines.flat(8), 2, OptionalInt.of(2), "0-1 2-5 3-5 3-5 6-7"),
                parts(Machines.flat(8), 2, open, "0-1 2-7 3-7 3-7 3-7"));
    }

    /** Makes a case with that number of full Satellites and one partial one. */
    private static Arguments parts(Topology machine, int full, OptionalInt cores, String expected) {
        return Arguments.of(
                machine,
                DEFAULT.withSatellites(full).withParts(List.of(new PartRequest(new NodeId("part"), cores))),
                expected);
    }

    @ParameterizedTest(name = "{1}: {2}")
    @MethodSource("placementsWithParts")
    void partialSatellitesShareCoresOrHaveTheirOwn(Topology machine, PlanRequest request, String expected) {
        SystemModel plan = Planner.plan(machine, request);

        assertEquals(expected, drawn(plan));
        assertEquals(
                new NodeId("part"),
                plan.satellites().get(plan.satellites().size() - 1).id());
    }

    @Test
    void coresOfAPartialSatelliteMustLeaveSomeForOthers() {
        PlanRequest request = DEFAULT.withParts(List.of(new PartRequest(new NodeId("part"), OptionalInt.of(2))));

        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Planner.plan(Machines.flat(2), request));
        assertEquals(
                "satellites.part.cores (2) do not fit on a machine of 2 cores, as others need at least one of them",
                refused.getMessage());
    }

    @Test
    void nodesNeverOverlapAndStayInOnePackageWhereTheMachineHasEnoughCores() {
        List<Topology> machines = List.of(Machines.opteron48(), Machines.epyc64(), Machines.xeon2s());
        for (Topology machine : machines) {
            for (int satellites = 0; satellites <= machine.cores().size() - 2; satellites++) {
                SystemModel plan = Planner.plan(machine, DEFAULT.withSatellites(satellites));
                String what = machine.name() + " with " + satellites + ": " + drawn(plan);
                assertEquals(Sharing.DEDICATED, plan.sharing(), what);
                CpuSet seen = plan.middleware().cpus();
                for (NodePlan node : nodes(plan)) {
                    assertFalse(node.cpus().isEmpty(), what);
                    assertFalse(seen.intersects(node.cpus()), what);
                    seen = seen.union(node.cpus());
                }
                int smallest = plan.satellites().stream()
                        .mapToInt(s -> s.cpus().size())
                        .min()
                        .orElse(0);
                if (smallest > 2 && satellites >= 4) {
                    for (NodePlan satellite : plan.satellites()) {
                        long packages = machine.cores().stream()
                                .filter(core -> core.cpus().intersects(satellite.cpus()))
                                .map(core -> core.packageNumber())
                                .distinct()
                                .count();
                        assertEquals(1, packages, what);
                    }
                }
            }
        }
    }

    @Test
    void threadsOfOneCoreStayTogether() {
        for (NodePlan node : nodes(Planner.plan(Machines.xeon2s(), DEFAULT))) {
            for (int cpu : node.cpus().toList()) {
                assertTrue(node.cpus().contains((cpu + 32) % 64), node.toString());
            }
        }
    }

    @Test
    void bindsMemoryToTheNumaNodesOfTheCores() {
        SystemModel dies = Planner.plan(Machines.opteron48(), DEFAULT.withSatellites(5));
        assertEquals(List.of(3), dies.satellites().get(0).numaNodes());
        SystemModel sockets = Planner.plan(Machines.opteron48(), DEFAULT.withSatellites(3));
        assertEquals(List.of(2, 3), sockets.satellites().get(0).numaNodes());
        SystemModel small = Planner.plan(Machines.flat(8), DEFAULT);
        assertEquals(List.of(), small.satellites().get(0).numaNodes());
    }

    @Test
    void decidesHowManySatellitesByCoresAndMemory() {
        assertEquals(1, Planner.plan(Machines.flat(2), DEFAULT).satellites().size());
        assertEquals(1, Planner.plan(Machines.flat(7), DEFAULT).satellites().size());
        assertEquals(2, Planner.plan(Machines.flat(8), DEFAULT).satellites().size());
        assertEquals(2, Planner.plan(Machines.flat(16), DEFAULT).satellites().size());
        assertEquals(3, Planner.plan(Machines.flat(32), DEFAULT).satellites().size());
        assertEquals(
                3, Planner.plan(Machines.socketPerCpu16(), DEFAULT).satellites().size());
        assertEquals(5, Planner.plan(Machines.opteron48(), DEFAULT).satellites().size());
        assertEquals(
                2,
                Planner.plan(Machines.flat(16).limited(Topology.NO_QUOTA, 4 * GB), DEFAULT)
                        .satellites()
                        .size());
        SystemModel poor = Planner.plan(Machines.flat(8).limited(Topology.NO_QUOTA, 3 * GB - 1), DEFAULT);
        assertEquals(0, poor.satellites().size());
        assertTrue(poor.notes().toString().contains("3 GB"), poor.notes().toString());
        assertEquals(
                1,
                Planner.plan(Machines.flat(64).limited(4.5, 64 * GB), DEFAULT)
                        .satellites()
                        .size());
    }

    @Test
    void givesEventLoopsAndTheRelayTheMiddlewaresCores() {
        MiddlewarePlan two = Planner.plan(Machines.flat(2), DEFAULT).middleware();
        assertEquals(1, two.eventLoops());
        MiddlewarePlan eight = Planner.plan(Machines.flat(8), DEFAULT).middleware();
        assertEquals(2, eight.eventLoops());
        MiddlewarePlan sixteen = Planner.plan(Machines.flat(16), DEFAULT).middleware();
        assertEquals(3, sixteen.eventLoops());
        assertEquals("0-2", sixteen.loopCpus().toString());
        assertEquals("0-2", sixteen.relayCpus().toString());
        MiddlewarePlan large = Planner.plan(Machines.flat(40), DEFAULT).middleware();
        assertEquals(6, large.eventLoops());
        assertEquals("0-5", large.loopCpus().toString());
        assertEquals("6", large.relayCpus().toString());
    }

    @Test
    void nodesThatUseTheSameCoresCountOnAPartOfThem() {
        SystemModel plan = Planner.plan(Machines.flat(16), DEFAULT.withSatellites(3));
        assertEquals("5-15", plan.satellites().get(0).cpus().toString());
        assertEquals(4, plan.satellites().get(0).share());
        assertEquals(13, plan.master().share());
        SystemModel limited = Planner.plan(Machines.flat(64).limited(6, 64 * GB), DEFAULT.withSatellites(2));
        assertEquals(3, limited.satellites().get(0).share());
    }

    @Test
    void neverPromisesMoreMemoryThanThereIs() {
        for (long memory : new long[] {GB / 2, GB, 2 * GB, 4 * GB, 24 * GB, 512 * GB}) {
            for (int satellites : new int[] {0, 1, 3, 10}) {
                Topology machine = Machines.flat(16).limited(Topology.NO_QUOTA, memory);
                SystemModel plan = Planner.plan(machine, DEFAULT.withSatellites(satellites));
                long engines =
                        nodes(plan).stream().mapToLong(NodePlan::memoryBytes).sum();
                assertTrue(engines < machine.memoryBytes(), memory + " bytes, " + satellites + " satellites");
            }
        }
    }

    @Test
    void tellsOfNodesThatAreConfiguredInVain() {
        PlanRequest request = new PlanRequest(
                OptionalInt.of(1),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Storage.MEMORY,
                Map.of(),
                Map.of(NodeId.satellite(2), new NodeRequest(CpuSet.parse("1"), Map.of())));
        assertEquals(
                List.of("nodes.satellite-2 is not used: the number of satellites is 1."),
                Planner.plan(Machines.flat(8), request).notes());
    }

    @Test
    void settingsOfANodeWinOverThoseOfAllSatellitesOverThePlanners() {
        PlanRequest request = new PlanRequest(
                OptionalInt.of(2),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Storage.DISK,
                Map.of("work_mem", "64MB", "shared_buffers", "1GB"),
                Map.of(
                        NodeId.satellite(2),
                        new NodeRequest(CpuSet.parse("6"), Map.of("work_mem", "256MB")),
                        NodeId.MASTER,
                        new NodeRequest(CpuSet.EMPTY, Map.of("wal_buffers", "32MB"))));
        SystemModel plan = Planner.plan(Machines.flat(8), request);
        assertEquals("64MB", plan.satellites().get(0).settings().get("work_mem"));
        assertEquals("256MB", plan.satellites().get(1).settings().get("work_mem"));
        assertEquals("1GB", plan.satellites().get(1).settings().get("shared_buffers"));
        assertEquals("32MB", plan.master().settings().get("wal_buffers"));
        assertFalse(plan.master().settings().containsKey("work_mem"));
        assertEquals("6", plan.satellites().get(1).cpus().toString());
        assertEquals(Storage.DISK, plan.satellites().get(0).storage());
        assertEquals(Storage.DISK, plan.master().storage());
    }

    @Test
    void refusesWhatTheMachineCannotGive() {
        assertRefused("satellites must be from 0 to 64, not 65", Machines.flat(8), DEFAULT.withSatellites(65));
        assertRefused("satellites must be from 0 to 64, not -1", Machines.flat(8), DEFAULT.withSatellites(-1));
        assertRefused(
                "do not fit beside 1 satellites",
                Machines.flat(8),
                DEFAULT.withSatellites(1).withCores(4, 4));
        for (int master = 1; master < 6; master++) {
            assertRefused(
                    "nodes.master.cores (" + master + ") do not fit beside 1 satellites on a machine of 2 cores",
                    Machines.flat(2),
                    DEFAULT.withSatellites(1).withCores(1, master));
        }
        assertRefused(
                "do not fit beside 1 satellites",
                Machines.flat(8),
                DEFAULT.withSatellites(1).withCores(Integer.MAX_VALUE, 1));
        assertRefused("at least one core each", Machines.flat(8), DEFAULT.withCores(0, 4));
        PlanRequest elsewhere = new PlanRequest(
                OptionalInt.of(1),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Storage.MEMORY,
                Map.of(),
                Map.of(NodeId.satellite(1), new NodeRequest(CpuSet.parse("6-9"), Map.of())));
        assertRefused("nodes.satellite-1.cpus: 8-9 cannot be used here, only 0-7", Machines.flat(8), elsewhere);
    }

    @Test
    void namesTheCoresThatNobodyUses() {
        SystemModel paper =
                Planner.plan(Machines.opteron48(), DEFAULT.withSatellites(3).withCores(4, 4));
        assertEquals("8-11", paper.spare().toString());
        assertTrue(Planner.plan(Machines.flat(2), DEFAULT).spare().isEmpty());
    }

    private static void assertRefused(String reason, Topology machine, PlanRequest request) {
        String message = assertThrows(IllegalArgumentException.class, () -> Planner.plan(machine, request))
                .getMessage();
        assertTrue(message.contains(reason), message);
    }

    private static List<NodePlan> nodes(SystemModel plan) {
        return Stream.concat(Stream.of(plan.master()), plan.satellites().stream())
                .toList();
    }

    private static String drawn(SystemModel plan) {
        return IntStream.rangeClosed(-2, plan.satellites().size() - 1)
                .mapToObj(i -> i == -2
                        ? plan.middleware().cpus()
                        : i == -1
                                ? plan.master().cpus()
                                : plan.satellites().get(i).cpus())
                .map(CpuSet::toString)
                .collect(Collectors.joining(" "));
    }
}
