package io.multimed.server.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.Topology;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinuxTopologyReaderTest {
    private static final long KB = 1024;

    @TempDir
    Path root;

    /** Two packages of two cores of two threads, numbered as x86 does, each package a NUMA node. */
    private RecordedMachine twoSockets() {
        RecordedMachine machine = new RecordedMachine(root).online("0-7", "0-7");
        for (int cpu = 0; cpu < 8; cpu++) {
            int core = cpu % 4;
            machine.cpu(cpu, core / 2, core + "," + (core + 4), core < 2 ? "0-1,4-5" : "2-3,6-7");
        }
        return machine.node(0, "0-1,4-5", 8_000_000).node(1, "2-3,6-7", 8_384_000);
    }

    @Test
    void readsPackagesCachesThreadsAndNumaNodes() {
        Topology topology = twoSockets().reader().read();
        assertEquals("recorded", topology.name());
        assertEquals(
                "[0,4, 1,5, 2,6, 3,7]",
                topology.cores().stream()
                        .map(core -> core.cpus().toString())
                        .toList()
                        .toString());
        assertEquals(
                "[0, 0, 1, 1]",
                topology.cores().stream()
                        .map(core -> core.packageNumber())
                        .toList()
                        .toString());
        assertEquals(
                "[0, 0, 1, 1]",
                topology.cores().stream().map(core -> core.die()).toList().toString());
        assertEquals(
                "[0, 0, 1, 1]",
                topology.cores().stream().map(core -> core.numaNode()).toList().toString());
        assertEquals(8_384_000 * KB, topology.numaNodes().get(1).memoryBytes());
        assertEquals(16_384_000 * KB, topology.memoryBytes());
        assertEquals(Topology.NO_QUOTA, topology.cpuQuota());
    }

    @Test
    void leavesOutCpusThatAreOfflineOrNotAllowed() {
        Topology topology = twoSockets().online("0-6", "2-7").reader().read();
        assertEquals("2-6", topology.cpus().toString());
        assertEquals(4, topology.cores().size(), "2 and 6 are one core; the siblings of 3, 4 and 5 are left out");
    }

    @Test
    void readsAVirtualMachineThatShowsHardlyAnything() {
        new RecordedMachine(root)
                .online("0-1", "0-1")
                .file("/sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1\n");
        Topology topology = new LinuxTopologyReader(root).read();
        assertEquals(2, topology.cores().size());
        assertEquals(1, topology.numaNodes().size());
        assertEquals(0, topology.cores().get(0).packageNumber());
    }

    @Test
    void tellsEfficiencyCoresApart() {
        RecordedMachine machine = new RecordedMachine(root).online("0-3", "0-3");
        machine.cpu(0, 0, "0-1", "0-3")
                .cpu(1, 0, "0-1", "0-3")
                .cpu(2, 0, "2", "0-3")
                .cpu(3, 0, "3", "0-3");
        machine.file("/sys/devices/cpu_atom/cpus", "2-3\n");
        Topology topology = machine.reader().read();
        assertEquals(CoreKind.PERFORMANCE, topology.cores().get(0).kind());
        assertEquals(CoreKind.EFFICIENCY, topology.cores().get(1).kind());
    }

    @Test
    void tellsEfficiencyCoresOfArmApartByTheirCapacity() {
        RecordedMachine machine = new RecordedMachine(root).online("0-1", "0-1");
        machine.file("/sys/devices/system/cpu/cpu0/cpu_capacity", "446\n");
        machine.file("/sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n");
        Topology topology = machine.reader().read();
        assertEquals("1", topology.cores().get(0).cpus().toString());
        assertEquals(CoreKind.EFFICIENCY, topology.cores().get(1).kind());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "no control groups|||Infinity|16384000",
                "v2 in a container|0::/|1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw;cpu.max=150000 100000;memory.max=1048576000|1.5|1024000",
                "v2 without limits|0::/|1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw;cpu.max=max 100000;memory.max=max|Infinity|16384000",
                "v2 limit further up|0::/a/b|1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw;a/memory.max=2097152000;a/b/memory.max=max;a/cpu.max=400000 100000|4.0|2048000",
                "v1 mounted from its own group|4:memory:/docker/x,7:cpu,cpuacct:/docker/x|1 0 0:1 /docker/x /sys/fs/cgroup rw - cgroup cgroup rw,memory,cpu,cpuacct;memory.limit_in_bytes=1048576000;cpu.cfs_quota_us=50000;cpu.cfs_period_us=100000|0.5|1024000",
                "v1 without limits|4:memory:/,7:cpu:/|1 0 0:1 / /sys/fs/cgroup rw - cgroup cgroup rw,memory,cpu;memory.limit_in_bytes=9223372036854771712;cpu.cfs_quota_us=-1;cpu.cfs_period_us=100000|Infinity|16384000"
            })
    void respectsLimitsOfControlGroups(String name, String groups, String mountAndFiles, double cpus, long kilobytes) {
        RecordedMachine machine = twoSockets();
        if (groups != null) {
            machine.file("/proc/self/cgroup", String.join("\n", groups.split(",(?=[0-9])")) + "\n");
            String[] parts = mountAndFiles.split(";");
            machine.file("/proc/self/mountinfo", parts[0] + "\n");
            for (int i = 1; i < parts.length; i++) {
                String[] file = parts[i].split("=", 2);
                machine.file("/sys/fs/cgroup/" + file[0], file[1] + "\n");
            }
        }
        Topology topology = machine.reader().read();
        assertEquals(cpus, topology.cpuQuota());
        assertEquals(kilobytes * KB, topology.memoryBytes());
        assertEquals(cpus < 8, topology.limitedByQuota());
    }

    @Test
    void saysSoWhereThereIsNoLinux() {
        String message = assertThrows(IllegalStateException.class, () -> new LinuxTopologyReader(root).read())
                .getMessage();
        assertTrue(message.contains("names no cpu"), message);
    }

    @Test
    void readsThisMachine() {
        Topology topology = new LinuxTopologyReader(Path.of("/")).read();
        assertEquals(
                Runtime.getRuntime().availableProcessors(),
                Math.min(topology.cpus().size(), (int) Math.ceil(Math.min(1e6, topology.cpuQuota()))));
        assertFalse(topology.numaNodes().isEmpty());
    }
}
