package io.multimed.server.os;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Limits of the control groups of this process: the lowest limit on the way from its group to the root, in version 1 and version 2
 * hierarchies.
 *
 * <p>Sources: Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst, scheduler/sched-bwc.rst, proc(5).
 */
final class CgroupLimits {
    private final KernelFiles files;

    CgroupLimits(KernelFiles files) {
        this.files = files;
    }

    /** Returns the memory limit in bytes; {@code Long.MAX_VALUE} without a limit. */
    long memoryBytes() {
        long least = Long.MAX_VALUE;
        for (String group : groups("cgroup2", "")) {
            least = Math.min(least, files.number(group + "/memory.max").orElse(Long.MAX_VALUE));
        }
        for (String group : groups("cgroup", "memory")) {
            // Version 1 represents "no limit" by a number close to the largest.
            least = Math.min(
                    least, files.number(group + "/memory.limit_in_bytes").orElse(Long.MAX_VALUE));
        }
        return least;
    }

    /** Returns the number of bytes that may still be used; {@code Long.MAX_VALUE} without a limit. */
    long memoryLeft() {
        long least = Long.MAX_VALUE;
        for (String group : groups("cgroup2", "")) {
            least = Math.min(least, memoryLeft(group, "memory.max", "memory.current", ""));
        }
        for (String group : groups("cgroup", "memory")) {
            // In version 1 only the fields named total_ include the groups below.
            least = Math.min(least, memoryLeft(group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"));
        }
        return least;
    }

    private long memoryLeft(String group, String limitFile, String usedFile, String prefix) {
        OptionalLong limit = files.number(group + "/" + limitFile);
        OptionalLong used = files.number(group + "/" + usedFile);
        if (limit.isEmpty() || used.isEmpty()) {
            return Long.MAX_VALUE;
        }
        // Cached files can be evicted. Files in tmpfs, which cannot, are not counted as cached.
        long cached = 0;
        for (String line : files.lines(group + "/memory.stat")) {
            if (line.startsWith(prefix + "inactive_file ") || line.startsWith(prefix + "active_file ")) {
                cached += Long.parseLong(line.substring(line.indexOf(' ') + 1));
            }
        }
        return Math.max(0, limit.getAsLong() - used.getAsLong() + cached);
    }

    /** Returns the number of cpus whose time may be used; infinity without a limit. */
    double cpus() {
        double least = Double.POSITIVE_INFINITY;
        for (String group : groups("cgroup2", "")) {
            String[] quotaAndPeriod =
                    files.text(group + "/cpu.max").orElse("max").split("\\s+");
            if (quotaAndPeriod.length == 2 && !quotaAndPeriod[0].equals("max")) {
                least = Math.min(least, Double.parseDouble(quotaAndPeriod[0]) / Double.parseDouble(quotaAndPeriod[1]));
            }
        }
        for (String group : groups("cgroup", "cpu")) {
            OptionalLong quota = files.number(group + "/cpu.cfs_quota_us");
            OptionalLong period = files.number(group + "/cpu.cfs_period_us");
            if (quota.orElse(-1) > 0 && period.orElse(0) > 0) {
                least = Math.min(least, (double) quota.getAsLong() / period.getAsLong());
            }
        }
        return least;
    }

    /** Returns the directories of this process's group and of all above it, in the hierarchy of that type and controller. */
    private List<String> groups(String fileSystem, String controller) {
        Optional<String> own = ownGroup(controller);
        if (own.isEmpty()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        for (String line : files.lines("/proc/self/mountinfo")) {
            String[] halves = line.split(" - ", 2);
            if (halves.length < 2) {
                continue;
            }
            String[] mount = halves[0].split(" ");
            String[] type = halves[1].split(" ");
            boolean wanted = type[0].equals(fileSystem)
                    && (controller.isEmpty()
                            || Arrays.asList(type[type.length - 1].split(",")).contains(controller));
            if (wanted && mount.length > 4) {
                addUpwards(found, mount[3], mount[4], own.get());
            }
        }
        return found;
    }

    private static void addUpwards(List<String> found, String mountedRoot, String mountPoint, String own) {
        // Inside a container the hierarchy is often mounted from the container's own group.
        String relative = own;
        if (!mountedRoot.equals("/")) {
            relative = own.equals(mountedRoot) || own.startsWith(mountedRoot + "/")
                    ? own.substring(mountedRoot.length())
                    : "";
        }
        while (!relative.isEmpty() && !relative.equals("/")) {
            found.add(mountPoint + relative);
            relative = relative.substring(0, relative.lastIndexOf('/'));
        }
        found.add(mountPoint);
    }

    /** Returns this process's group from /proc/self/cgroup, whose lines have the form {@code id:controllers:path}. */
    private Optional<String> ownGroup(String controller) {
        for (String line : files.lines("/proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && Arrays.asList(parts[1].split(",")).contains(controller)) {
                return Optional.of(parts[2]);
            }
        }
        return Optional.empty();
    }
}
