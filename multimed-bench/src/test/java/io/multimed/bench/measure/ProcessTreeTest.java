package io.multimed.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    private static final String SELF = "load generator";
    private static final String OTHER = "engine";

    private Process busy;

    @BeforeEach
    void beginToWork() throws IOException {
        busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    }

    @AfterEach
    void end() throws InterruptedException {
        busy.destroyForcibly().waitFor();
    }

    @Test
    void whatAProcessHasDoneIsSeenLookingAtIt() throws Exception {
        Map<String, Long> named = Map.of(SELF, ProcessHandle.current().pid(), OTHER, busy.pid());
        ProcessTree.Look before = ProcessTree.look(named);
        work();
        assertFalse(before.many());
        assertWorked(before, ProcessTree.look(named));
    }

    @Test
    void whatAProcessHasDoneIsSeenLookingAtTheMachine() throws Exception {
        Map<String, Long> named = Map.of(SELF, ProcessHandle.current().pid(), OTHER, busy.pid());
        ProcessTree.Look before = ProcessTree.lookAtMachine(named);
        work();
        assertWorked(before, ProcessTree.lookAtMachine(named));
    }

    @Test
    void whoOfSeveralHasDoneItIsNotSeenLookingAtTheMachine() {
        Map<String, Long> named = Map.of(SELF, ProcessHandle.current().pid(), OTHER, busy.pid(), "third", 1L);
        assertEquals(Set.of(SELF), ProcessTree.lookAtMachine(named).cpuSeconds().keySet());
    }

    private static void work() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(500);
    }

    private static void assertWorked(ProcessTree.Look before, ProcessTree.Look after) {
        double seconds = after.cpuSeconds().get(OTHER) - before.cpuSeconds().get(OTHER);
        assertTrue(seconds > 0.02, "seconds: " + seconds);
    }
}
