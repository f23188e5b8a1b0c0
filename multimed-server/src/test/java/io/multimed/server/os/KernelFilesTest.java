package io.multimed.server.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFilesTest {
    private final KernelFiles machine = new KernelFiles(Path.of("/"));

    @Test
    void readsAllDigitsOfANumberThatTheKernelGivesToTheFirstReadAlone() {
        // Its least value is 301.
        assertTrue(machine.number("/proc/sys/kernel/pid_max").orElseThrow() > 300);
        assertTrue(machine.text("/proc/cpuinfo").orElseThrow().length() > 100);
    }

    @Test
    void aFileThatIsMissingOrNoFileYieldsNothing(@TempDir Path root) throws Exception {
        Files.createDirectory(root.resolve("directory"));
        KernelFiles files = new KernelFiles(root);
        assertEquals(Optional.empty(), files.text("/missing"));
        assertEquals(Optional.empty(), files.text("/directory"));
    }
}
