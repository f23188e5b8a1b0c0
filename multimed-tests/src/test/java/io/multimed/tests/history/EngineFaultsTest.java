package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.answers;
import static io.multimed.tests.history.Faults.assertConverged;
import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.MultimedProcess;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Faults of engines, disks and the relay under the workload, and the observations of clients meanwhile. The test fails if a
 * fault did not happen.
 *
 * <p>{@code -Dmultimed.faults.rounds=N} repeats each fault N times, {@code -Dmultimed.faults.frozen=10} freezes the relay for
 * ten seconds each time, {@code -Dmultimed.history.seed=N} repeats the choices of the sessions.
 */
@Isolated("kills and freezes engines, and needs the processor for itself")
@Timeout(1800)
@Tag("slow")
class EngineFaultsTest {
    private static final int ROUNDS = Integer.getInteger("multimed.faults.rounds", 1);
    private static final int FROZEN_SECONDS = Integer.getInteger("multimed.faults.frozen", 2);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Number of commits between two faults. */
    private static final int COMMITS = 60;

    private final Random random = new Random(SEED);

    @Test
    void keepsItsPromisesWhenTheDiskOfTheMastersLogIsFull() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(700);
                RunningMultimed multimed = RunningMultimed.start(2, disk.directory())) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_panic", true, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                awaitCommits(run);
                long before = multimed.masterPid();
                disk.fill();
                // The engine's own log may have no room for the PANIC.
                writeLogUntilItEnds(multimed, before);
                disk.free();
                multimed.awaitOtherEngine("master", before);
                RunningMultimed.await(() -> answers(multimed), "the Master answering again");
            }
            awaitCommits(run);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_panic");
        }
    }

    /** Writes log until the Master ends, on a session that is no client of the workload. */
    private static void writeLogUntilItEnds(RunningMultimed multimed, long master) {
        int written = 0;
        while (multimed.masterPid() == master) {
            try (WireSession session = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
                session.rows("SELECT pg_logical_emit_message(false, 'full', repeat('x', 1000000))"
                        + " FROM generate_series(1, 20)");
                written++;
                assertTrue(written < 1_000, "the disk has room for everything");
            } catch (IOException full) {
                // Until its pid changes, the Master may be about to end, or may refuse this write alone.
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @Test
    void keepsItsPromisesWhenTheMasterDiesWhileASatelliteIsMadeAnew() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            try (WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
                // The table makes a copy take a while.
                master.rows("CREATE TABLE large AS SELECT i, repeat(md5(i::text), 30) AS v"
                        + " FROM generate_series(1, 150000) AS i");
            }
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_copies", true, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                awaitCommits(run);
                RunningMultimed.await(() -> multimed.satellitesServing() == 2, "both Satellites serving");
                int satellite = random.nextInt(2);
                makeUseless(multimed, satellite);
                RunningMultimed.await(
                        () -> multimed.nodes().stream()
                                .anyMatch(node -> node.state().equals("cloning")),
                        "a copy");
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                assertTrue(
                        multimed.nodes().stream().anyMatch(node -> node.state().equals("cloning")),
                        "the copy was made before the Master could die");
                long before = multimed.masterPid();
                signal("KILL", before);
                multimed.awaitOtherEngine("master", before);
                RunningMultimed.await(() -> answers(multimed), "the Master answering again");
            }
            awaitCommits(run);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_copies");
        }
    }

    /** Makes the Satellite die, with data that cannot be resumed. */
    private static void makeUseless(RunningMultimed multimed, int satellite) throws Exception {
        long pid = multimed.satellitePid(satellite);
        String directory;
        try (WireSession session = WireSession.open(multimed.satellite(satellite), "postgres", "postgres", PATIENCE)) {
            directory = session.value("SHOW data_directory");
        }
        Files.delete(Path.of(directory, "global", "pg_control"));
        signal("KILL", pid);
    }

    @Test
    void keepsItsPromisesWhileTheRelayHearsNothing() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_silence", true, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                awaitCommits(run);
                try (WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
                    long walsender = Long.parseLong(master.value(
                            "SELECT pid FROM pg_stat_replication WHERE application_name = 'multimed_relay'"));
                    signal("STOP", walsender);
                    try {
                        RunningMultimed.await(() -> waitingCommits(master) > 0, "commits that wait for the relay");
                        TimeUnit.SECONDS.sleep(FROZEN_SECONDS);
                        assertTrue(waitingCommits(master) > 0, "commits that wait for the relay");
                    } finally {
                        signal("CONT", walsender);
                    }
                }
            }
            awaitCommits(run);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_silence");
        }
    }

    private static long waitingCommits(WireSession master) {
        try {
            return Long.parseLong(master.value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keepsItsPromisesWhenTheWholeIsFrozen() throws Exception {
        try (MultimedProcess multimed = MultimedProcess.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_ice", true, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                awaitCommits(run);
                multimed.signal("STOP");
                int before = run.recording().updates().size();
                TimeUnit.SECONDS.sleep(FROZEN_SECONDS);
                // Some commits may have been answered just before.
                assertTrue(run.recording().updates().size() - before < COMMITS, "it was not frozen");
                multimed.signal("CONT");
            }
            awaitCommits(run);
            run.assertKept(run.end(Promise.STRONG));
            MiddlewareFaultsTest.assertConverged(multimed, run, "history_of_ice");
        }
    }

    @Test
    void keepsItsPromisesWhenItIsShutDownUnderLoad() throws Exception {
        try (MultimedProcess multimed = MultimedProcess.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_ends", true, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                awaitCommits(run);
                List<Long> engines =
                        multimed.nodes().stream().map(MultimedProcess.Node::pid).toList();
                assertEquals(0, multimed.shutDown(), multimed::said);
                assertTrue(
                        engines.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()), "engines are left");
                multimed.startAgain();
            }
            awaitCommits(run);
            run.assertKept(run.end(Promise.STRONG));
            MiddlewareFaultsTest.assertConverged(multimed, run, "history_of_ends");
        }
    }

    /** Waits until the workload commits. */
    private static void awaitCommits(HistoryRun run) {
        int before = run.recording().updates().size();
        RunningMultimed.await(
                () -> run.recording().updates().size() > before + COMMITS, "transactions of the workload");
    }
}
