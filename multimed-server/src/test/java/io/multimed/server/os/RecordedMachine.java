package io.multimed.server.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of /sys and /proc of a machine, written below a temporary directory. */
final class RecordedMachine {
    private final Path root;

    RecordedMachine(Path root) {
        this.root = root;
        file("/proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
        file("/proc/sys/kernel/hostname", "recorded\n");
    }

    RecordedMachine file(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    RecordedMachine cpu(int cpu, int packageNumber, String siblings, String cacheSharers) {
        String at = "/sys/devices/system/cpu/cpu" + cpu;
        file(at + "/topology/physical_package_id", packageNumber + "\n");
        file(at + "/topology/core_cpus_list", siblings + "\n");
        file(at + "/cache/index2/level", "2\n");
        file(at + "/cache/index2/shared_cpu_list", siblings + "\n");
        file(at + "/cache/index3/level", "3\n");
        return file(at + "/cache/index3/shared_cpu_list", cacheSharers + "\n");
    }

    RecordedMachine online(String online, String allowed) {
        file("/sys/devices/system/cpu/online", online + "\n");
        return file("/proc/self/status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t" + allowed + "\n");
    }

    RecordedMachine node(int node, String cpus, long kilobytes) {
        String at = "/sys/devices/system/node/node" + node;
        file(at + "/cpulist", cpus + "\n");
        return file(at + "/meminfo", "Node " + node + " MemTotal:       " + kilobytes + " kB\n");
    }

    LinuxTopologyReader reader() {
        return new LinuxTopologyReader(root);
    }
}
