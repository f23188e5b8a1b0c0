package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Report;
import io.multimed.testkit.random.Seed;
import io.multimed.tests.server.MariaDbProgram;
import io.multimed.tests.server.RunningMultimed;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The observations of clients of a Multimed with MariaDB and two Satellites, and of clients that go past it to the Master, keep the guarantees
 * of ARCHITECTURE.md while the Satellites, the Master and the middleware die and freeze.
 *
 * <p>{@code -Dmultimed.history.seconds=N} makes the run about N seconds long, beside the time that restarts take;
 * {@code -Dmultimed.history.seed=N} repeats the choices of the sessions.
 */
@Isolated("kills and freezes engines, and needs the processor for itself")
@Timeout(1800)
@Tag("slow")
class MariaDbHistoryTest {
    private static final int SECONDS = Integer.getInteger("multimed.history.seconds", 16);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final String DATABASE = "history_of_mariadb";
    /** Number of moments for which the Master is frozen. */
    private static final int MOMENTS = 20;

    private static final long MOMENT_MILLIS = 25;
    /** Least numbers for each second of the run, on a slow machine. */
    private static final int FEWEST_COMMITS = 20;

    private static final int FEWEST_READS = 50;

    private static void sleep(double share) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (SECONDS * 1000 * share));
    }

    private static void awaitServing(MariaDbProgram multimed) {
        RunningMultimed.await(multimed::serves, "all nodes serving");
    }

    private static void awaitAnother(MariaDbProgram multimed, long pid) {
        RunningMultimed.await(
                () -> {
                    try {
                        return multimed.status().nodes().stream().noneMatch(node -> node.pid() == pid);
                    } catch (Exception notYet) {
                        return false;
                    }
                },
                "another engine than " + pid);
    }

    @Test
    void keepsItsPromisesWhileEverythingDiesAndFreezes() throws Exception {
        try (MariaDbProgram multimed = MariaDbProgram.start(2);
                MariaDbHistoryRun run = new MariaDbHistoryRun(
                        MariaDbProgram.socket(multimed.master()), multimed.data(), multimed.port(), DATABASE, SEED)) {
            sleep(0.15);
            long killed = multimed.satellites().get(0).pid();
            signal("KILL", killed);
            awaitAnother(multimed, killed);
            sleep(0.1);
            long frozen = multimed.satellites().get(1).pid();
            signal("STOP", frozen);
            sleep(0.15);
            // The process may have been killed and replaced meanwhile.
            if (ProcessHandle.of(frozen).isPresent()) {
                signal("CONT", frozen);
            }
            awaitServing(multimed);
            assertEquals(Map.of(), run.recording().firstErrors(), "errors though only Satellites failed");

            // A commit that the relay has, and a Satellite shows, is not visible on the Master before it goes on.
            long master = multimed.master().pid();
            for (int moment = 0; moment < MOMENTS; moment++) {
                signal("STOP", master);
                TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
                signal("CONT", master);
                TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
            }
            sleep(0.05);
            signal("KILL", master);
            awaitAnother(multimed, master);
            awaitServing(multimed);
            assertNotEquals(0, run.recording().errors().size(), "nobody noticed the Master's death");
            sleep(0.1);

            multimed.signal("STOP");
            int before = run.recording().updates().size();
            sleep(0.05);
            multimed.signal("CONT");
            sleep(0.1);
            assertTrue(run.recording().updates().size() > before, "commits after the middleware was frozen");
            long served = multimed.served();
            multimed.kill();
            multimed.startAgain();
            sleep(0.2);
            Report report = run.end();
            awaitServing(multimed);
            served += multimed.served();
            System.out.println("MariaDB: " + served + " reads on Satellites");
            run.assertKept(report);
            assertTrue(report.commits() >= FEWEST_COMMITS * SECONDS, () -> report.commits() + " commits");
            assertTrue(served >= (long) FEWEST_READS * SECONDS, served + " reads on Satellites");
        }
    }
}
