package io.multimed.server.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvailableMemoryTest {
    @TempDir
    Path root;

    private RecordedMachine machine;

    @BeforeEach
    void record() {
        machine = new RecordedMachine(root)
                .file("/proc/meminfo", "MemTotal: 16000 kB\nMemFree: 10 kB\nMemAvailable: 8000 kB\n");
    }

    private long kilobytes() {
        return new AvailableMemory(root).getAsLong() / 1024;
    }

    private void group(String path, String file, long kilobytes) {
        machine.file("/sys/fs/cgroup/" + path + file, kilobytes * 1024 + "\n");
    }

    private void stat(String path, String prefix, long anonymous, long inactiveFile, long activeFile, long tmpfs) {
        machine.file(
                "/sys/fs/cgroup/" + path + "memory.stat",
                "anon " + anonymous * 1024 + "\nshmem " + tmpfs * 1024 + "\n" + prefix + "inactive_anon 1\n" + prefix
                        + "inactive_file " + inactiveFile * 1024 + "\n" + prefix + "active_file " + activeFile * 1024
                        + "\nslab 1\n");
    }

    @Test
    void isTheMachinesWhereNoGroupHasALimit() {
        assertEquals(8000, kilobytes());
        machine.file("/proc/self/cgroup", "0::/\n")
                .file("/proc/self/mountinfo", "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n")
                .file("/sys/fs/cgroup/memory.max", "max\n");
        group("", "memory.current", 7000);
        assertEquals(8000, kilobytes());
    }

    @Test
    void isWhatTheTightestGroupLeavesCachedFilesAside() {
        machine.file("/proc/self/cgroup", "0::/a/b\n")
                .file("/proc/self/mountinfo", "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
        group("a/b/", "memory.max", 6000);
        group("a/b/", "memory.current", 1000);
        group("a/", "memory.max", 4000);
        group("a/", "memory.current", 3500);
        stat("a/", "", 1000, 400, 100, 2000);
        assertEquals(1000, kilobytes());
        group("a/", "memory.current", 5000);
        assertEquals(0, kilobytes());
    }

    @Test
    void isWhatAGroupOfTheFirstVersionLeaves() {
        machine.file("/proc/self/cgroup", "4:memory:/docker/x\n")
                .file("/proc/self/mountinfo", "1 0 0:1 /docker/x /sys/fs/cgroup rw - cgroup cgroup rw,memory\n");
        group("", "memory.limit_in_bytes", 4000);
        group("", "memory.usage_in_bytes", 3500);
        stat("", "total_", 1000, 400, 100, 2000);
        assertEquals(1000, kilobytes());
    }

    @Test
    void readsThisMachine() {
        assertTrue(new AvailableMemory(Path.of("/")).getAsLong() > 0);
    }
}
