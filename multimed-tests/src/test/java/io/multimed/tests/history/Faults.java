package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Steps of tests that make processes fail under a history, with two Satellites. */
final class Faults {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Faults() {}

    /** Sends the process a signal, such as {@code STOP}. */
    static void signal(String signal, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        assertEquals(0, kill.waitFor(), "kill -" + signal + " " + pid);
    }

    /** Whether the Master executes an update. */
    static boolean answers(RunningMultimed multimed) {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            session.rows("CREATE TABLE IF NOT EXISTS answers ()");
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Waits for both Satellites, and compares them with the Master. */
    static void assertConverged(RunningMultimed multimed, HistoryRun run, String database) throws IOException {
        RunningMultimed.await(() -> multimed.satellitesServing() == 2, "both Satellites serving again");
        multimed.awaitSatellites(database);
        run.assertConverged(List.of(multimed.satellite(0), multimed.satellite(1)));
    }
}
