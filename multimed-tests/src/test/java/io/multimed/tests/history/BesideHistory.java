package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.MultimedProcess;
import io.multimed.tests.server.MultimedProcess.Memory;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A Multimed as a process of its own with the workload on it, beside which campaigns do something else. */
final class BesideHistory {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = Seed.of("multimed.history.seed");
    /** Number of commits between two campaigns. */
    private static final int COMMITS = 40;

    /** Work in a database of its own. */
    interface Campaign {
        void on(String database) throws Exception;
    }

    private final MultimedProcess multimed;
    private final String history;
    private final HistoryRun run;

    private BesideHistory(MultimedProcess multimed, String history) throws IOException {
        this.multimed = multimed;
        this.history = history;
        run = new HistoryRun(multimed.master(), multimed.address(), history, true, SEED);
    }

    static BesideHistory start(String history, int satellites) throws Exception {
        MultimedProcess multimed = MultimedProcess.start(satellites);
        try {
            return new BesideHistory(multimed, history);
        } catch (IOException e) {
            multimed.close();
            throw e;
        }
    }

    MultimedProcess multimed() {
        return multimed;
    }

    /** Returns the seed, which repeats the choices of a run. */
    long seed() {
        return SEED;
    }

    WireSession open(ServerAddress address, String database) throws IOException {
        return WireSession.open(address, "postgres", database, PATIENCE);
    }

    /** Opens a client's session. */
    WireSession open(String database) throws IOException {
        return open(multimed.address(), database);
    }

    String onMaster(String database, String sql) throws IOException {
        try (WireSession master = open(multimed.master(), database)) {
            return master.value(sql);
        }
    }

    /** Runs a campaign while the workload goes on, and compares its tables on all nodes. */
    void campaign(String database, Campaign campaign) throws Exception {
        try (WireSession owner = open("postgres")) {
            owner.rows("CREATE DATABASE " + database);
        }
        awaitCommits();
        Memory before = multimed.memory();
        campaign.on(database);
        System.out.println(database + ": middleware before " + before + ", after " + multimed.memory());
        awaitCommits();
        MiddlewareFaultsTest.awaitSatellites(multimed, database);
        run.assertConverged(
                database,
                multimed.satellites().stream()
                        .map(MultimedProcess.Node::address)
                        .toList());
        try (WireSession owner = open("postgres")) {
            owner.rows("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }

    private void awaitCommits() {
        int before = run.recording().updates().size();
        RunningMultimed.await(
                () -> run.recording().updates().size() > before + COMMITS, "transactions of the workload");
    }

    /** Checks the history, and ends the Multimed. */
    void end() throws Exception {
        try (multimed) {
            run.assertKept(run.end(Promise.STRONG));
            Map<String, String> errors = new TreeMap<>(run.recording().firstErrors());
            errors.remove("40001");
            assertEquals(Map.of(), errors, "errors of the workload");
            MiddlewareFaultsTest.awaitSatellites(multimed, history);
            run.assertConverged(
                    history,
                    multimed.satellites().stream()
                            .map(MultimedProcess.Node::address)
                            .toList());
            assertTrue(multimed.isAlive(), multimed::said);
        }
    }
}
