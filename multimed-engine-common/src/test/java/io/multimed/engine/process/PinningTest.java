package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PinningTest {
    private final List<Integer> ours = Pinning.coresOf(ProcessHandle.current().pid());

    @Test
    void whatABoundThreadStartsIsBound() throws Exception {
        CoreBinding first = CoreBinding.toCores(List.of(ours.getFirst()));
        Process child = Pinning.callBound(first, () -> new ProcessBuilder("sleep", "600").start());
        try {
            assertEquals(first.cores(), Pinning.coresOf(child.pid()));
            assertEquals(ours, Pinning.coresOf(ProcessHandle.current().pid()));
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void itsMemoryComesFromItsNode() throws Exception {
        assumeTrue(Files.exists(Path.of("/sys/devices/system/node/node0")), "this kernel knows no NUMA nodes");
        CoreBinding node = new CoreBinding(List.of(), List.of(0));
        assumeTrue(
                Pinning.callBound(CoreBinding.NONE, () -> Pinning.pinCurrentThread(node)),
                "memory policies are not permitted here");
        Process child = Pinning.callBound(node, () -> new ProcessBuilder("sleep", "600").start());
        try {
            // The policy is not "bind", with which the kernel would end processes if a copy is larger than its node.
            String maps = Files.readString(Path.of("/proc", Long.toString(child.pid()), "numa_maps"));
            assertTrue(maps.contains(" prefer (many):0 ") || maps.contains(" prefer:0 "), maps);
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void whatTheKernelRefusesIsNoError() {
        assertEquals(false, Pinning.pinCurrentThread(CoreBinding.toCores(List.of(1023))));
        assertEquals(ours, Pinning.coresOf(ProcessHandle.current().pid()));
        assertEquals(List.of(), Pinning.coresOf(1L << 30));
    }
}
