package io.multimed.server.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.Topology;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.config.Overrides;
import io.multimed.server.config.TopologyFile;
import io.multimed.server.doctor.Finding.Grade;
import io.multimed.server.home.Home;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines with one fault each; all others are as on a machine without any. */
class DoctorTest {
    private static final long GB = 1L << 30;

    @TempDir
    Path directory;

    private final Map<String, String> files = new HashMap<>(Map.of(
            "/proc/sys/kernel/osrelease", "6.1.0-18-amd64",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc",
            "/proc/meminfo", "MemTotal: 1 kB\nSwapTotal:             0 kB\nHugePages_Total:    9000\n",
            "/proc/sys/vm/swappiness", "60",
            "/proc/sys/kernel/numa_balancing", "0",
            "/proc/sys/net/core/somaxconn", "4096",
            "/proc/self/limits", """
                    Limit                     Soft Limit           Hard Limit           Units
                    Max processes             127235               127235               processes
                    Max open files            1024                 1048576              files"""));

    private String taken = "";
    private long room = 100 * GB;
    private long size;
    private boolean running;

    private List<Finding> examine() throws Exception {
        Configuration configuration = ConfigurationReader.defaults(new Overrides(
                Optional.empty(),
                OptionalInt.of(2),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()));
        PlanRequest request = ConfigurationReader.planRequest(configuration);
        Topology topology = TopologyFile.of("xeon-2s").topology();
        SystemModel model = Planner.plan(topology, request);
        ExaminedMachine machine = new ExaminedMachine() {
            @Override
            public Optional<String> text(String path) {
                return Optional.ofNullable(files.get(path));
            }

            @Override
            public OptionalLong room(Path place) {
                return OptionalLong.of(room);
            }

            @Override
            public long size(Path place) {
                return size;
            }

            @Override
            public Optional<String> obstacle(ListenAddress address) {
                return address.toString().equals(taken) ? Optional.of("Address already in use") : Optional.empty();
            }

            @Override
            public long availableMemory() {
                return topology.memoryBytes();
            }
        };
        return new Doctor(machine, configuration, model, Home.of(directory.resolve("home")), running).examine();
    }

    /** Checks that nothing but this is found. */
    private void finds(Grade grade, String subject, String text, String remedy) throws Exception {
        List<Finding> found = examine().stream()
                .filter(finding -> finding.grade() != Grade.OK)
                .toList();
        assertEquals(1, found.size(), found::toString);
        assertEquals(grade, found.getFirst().grade());
        assertEquals(subject, found.getFirst().subject());
        assertTrue(found.getFirst().text().contains(text), found::toString);
        assertTrue(found.getFirst().remedy().orElse("").contains(remedy), found::toString);
    }

    @Test
    void findsNothingOnAMachineAsItShouldBe() throws Exception {
        assertTrue(examine().stream().allMatch(finding -> finding.grade() == Grade.OK), examine()::toString);
    }

    @Test
    void findsAClockThatIsSlowToRead() throws Exception {
        files.put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
        files.put("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm");
        finds(Grade.WARNING, "clock", "hpet is slow", "echo tsc > /sys/");
    }

    @Test
    void findsAPortThatIsTakenUnlessByTheInstanceItself() throws Exception {
        taken = "127.0.0.1:7432";
        finds(Grade.PROBLEM, "endpoint.listen", "Address already in use", "sport = :7432");
        taken = "127.0.0.1:7433";
        finds(Grade.WARNING, "metrics.listen", "Address already in use", "set metrics.listen");
        running = true;
        findsNothingOnAMachineAsItShouldBe();
    }

    @Test
    void findsThatTheCopiesDoNotFitIntoMemory() throws Exception {
        size = 60 * GB;
        finds(Grade.WARNING, "/dev/shm", "kept on disk", "mount -o remount,size=241G /dev/shm");
    }

    @Test
    void findsThatTheMasterHasNoHugePages() throws Exception {
        files.put("/proc/meminfo", "HugePages_Total:       0\n");
        finds(Grade.WARNING, "huge pages", "none are reserved", "sysctl vm.nr_hugepages=");
    }

    @Test
    void findsASwapThatMayTakeSatellites() throws Exception {
        files.put("/proc/meminfo", "SwapTotal:       4194304 kB\nHugePages_Total:    9000\n");
        finds(Grade.WARNING, "swap", "vm.swappiness = 60", "sysctl vm.swappiness=1");
    }

    @Test
    void findsAKernelThatMovesMemoryBetweenNodes() throws Exception {
        files.put("/proc/sys/kernel/numa_balancing", "1");
        finds(Grade.WARNING, "NUMA", "2 nodes", "sysctl kernel.numa_balancing=0");
    }

    @Test
    void findsLimitsThatClientsWouldReach() throws Exception {
        String limits = files.get("/proc/self/limits");
        files.put("/proc/self/limits", limits.replace("1048576", "4096   "));
        finds(Grade.WARNING, "open files", "at most 4096", "LimitNOFILE=11024");
        files.put("/proc/self/limits", limits.replace("1048576", "256    "));
        finds(Grade.PROBLEM, "open files", "at most 256", "ulimit -Hn 11024");
        files.put("/proc/self/limits", limits.replace("127235", "512   "));
        finds(Grade.WARNING, "processes", "at most 512", "TasksMax");
        files.put("/proc/self/limits", limits.replace("1048576", "unlimited"));
        findsNothingOnAMachineAsItShouldBe();
    }

    @Test
    void findsAShortQueueOfConnections() throws Exception {
        files.put("/proc/sys/net/core/somaxconn", "128");
        finds(Grade.WARNING, "connections", "only 128", "sysctl net.core.somaxconn=4096");
    }

    @Test
    void findsADirectoryThatCannotBeUsed() throws Exception {
        java.nio.file.Files.writeString(directory.resolve("home"), "a file");
        finds(Grade.PROBLEM, "directory", "is a file", "--dir");
    }

    @Test
    void findsADiskThatIsAlmostFull() throws Exception {
        room = GB / 2;
        size = 0;
        finds(Grade.WARNING, "directory", "room for 512 MB", "make room");
    }

    @Test
    void findsCoresThatAreKeptSlow() throws Exception {
        files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
        finds(Grade.WARNING, "frequency", "powersave", "performance");
        files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate");
        findsNothingOnAMachineAsItShouldBe();
    }
}
