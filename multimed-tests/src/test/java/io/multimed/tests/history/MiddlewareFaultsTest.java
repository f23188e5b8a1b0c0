package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.MultimedProcess;
import io.multimed.tests.server.MultimedProcess.Node;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The middleware itself dies and freezes under load: nothing acknowledged is lost, no read afterwards is stale, the
 * engines do not outlive it.
 *
 * <p>{@code -Dmultimed.history.seconds=N} and {@code -Dmultimed.history.seed=N} as for {@link HistoryTest}.
 */
@Isolated("needs the processor for itself")
@Tag("slow")
class MiddlewareFaultsTest {
    private static final int SECONDS = Integer.getInteger("multimed.history.seconds", 12);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static void sleep(double share) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (SECONDS * 1000 * share));
    }

    private static boolean replayed(Node satellite, String database, String position) {
        try (WireSession session = WireSession.open(satellite.address(), "postgres", database, PATIENCE)) {
            return session.value("SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                    .equals("t");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Asserts that all Satellites serve, and hold the Master's contents. */
    static void assertConverged(MultimedProcess multimed, HistoryRun run, String database) throws IOException {
        awaitSatellites(multimed, database);
        List<Node> satellites = multimed.satellites();
        assertEquals(2, satellites.size());
        run.assertConverged(satellites.stream().map(Node::address).toList());
    }

    /** Waits until all Satellites serve, and have replayed the Master's present log. */
    static void awaitSatellites(MultimedProcess multimed, String database) throws IOException {
        RunningMultimed.await(
                () -> {
                    try {
                        return multimed.satellites().stream()
                                .allMatch(node -> node.state().equals("serving"));
                    } catch (IOException notYet) {
                        return false;
                    }
                },
                "all Satellites serving");
        try (WireSession session = WireSession.open(multimed.master(), "postgres", database, PATIENCE)) {
            String position = session.value("SELECT pg_current_wal_lsn()");
            for (Node satellite : multimed.satellites()) {
                RunningMultimed.await(
                        () -> replayed(satellite, database, position), satellite.name() + " at " + position);
            }
        }
    }

    @Test
    void isKilledUnderLoadAndRecoversWithEverythingAcknowledged() throws Exception {
        try (MultimedProcess multimed = MultimedProcess.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_kills", true, SEED);
            for (int life = 0; life < 3; life++) {
                sleep(0.25);
                List<Long> engines = multimed.nodes().stream().map(Node::pid).toList();
                multimed.kill();
                if (life % 2 == 0) {
                    RunningMultimed.await(
                            () -> engines.stream()
                                    .noneMatch(pid -> ProcessHandle.of(pid).isPresent()),
                            "the engines ending by themselves");
                }
                multimed.startAgain();
            }
            sleep(0.25);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_kills");
        }
    }

    @Test
    void isFrozenUnderLoadAndGoesOnAsIfNothingHadBeen() throws Exception {
        try (MultimedProcess multimed = MultimedProcess.start(2)) {
            List<Node> before = multimed.nodes();
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_pauses", true, SEED);
            for (int pause = 0; pause < 3; pause++) {
                sleep(0.15);
                multimed.signal("STOP");
                sleep(0.15);
                multimed.signal("CONT");
            }
            sleep(0.15);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_pauses");
            assertEquals(
                    before.stream().map(Node::pid).toList(),
                    multimed.nodes().stream().map(Node::pid).toList(),
                    "the same engines");
        }
    }
}
