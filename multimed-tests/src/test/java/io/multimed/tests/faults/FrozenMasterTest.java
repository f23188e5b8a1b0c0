package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.server.status.NodeStatus;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A Master that was stopped by a signal is reported so, left alone, and serves on when it continues. */
@Isolated("freezes engines, and needs the processor for itself")
@Tag("slow")
class FrozenMasterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    @Timeout(180)
    void frozenMasterIsToldOfAndLeftAlone() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(1);
                WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            session.rows("CREATE TABLE kept (i int)");
            long pid = multimed.masterPid();
            signal("STOP", pid);
            try {
                RunningMultimed.await(() -> state(multimed).equals("unresponsive"), "an unresponsive Master");
                assertEquals(
                        "its main process is stopped", multimed.nodes().get(0).detail());
                // Its other processes go on, and so do their clients.
                session.rows("INSERT INTO kept VALUES (1)");
                assertEquals("1", session.value("SELECT count(*) FROM kept"));
            } finally {
                signal("CONT", pid);
            }
            RunningMultimed.await(() -> state(multimed).equals("serving"), "a serving Master");
            assertEquals(pid, multimed.masterPid());
            try (WireSession later = WireSession.open(multimed.address(), "postgres", "template1", PATIENCE)) {
                assertEquals("1", later.value("SELECT 1"));
            }
        }
    }

    private static String state(RunningMultimed multimed) {
        NodeStatus master = multimed.nodes().get(0);
        return master.state();
    }

    private static void signal(String signal, long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        assertEquals(0, kill.waitFor());
    }
}
