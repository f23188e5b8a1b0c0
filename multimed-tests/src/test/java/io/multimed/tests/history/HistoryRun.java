package io.multimed.tests.history;

import io.multimed.testkit.history.Checker;
import io.multimed.testkit.history.Commit;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One database with the workload on it, from its creation to the verdict. */
final class HistoryRun {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerAddress master;
    private final String database;
    private final Workload workload;

    /**
     * Makes the database and starts the workload.
     *
     * @param master the engine that executes every update, itself
     * @param endpoint what clients talk to
     */
    HistoryRun(ServerAddress master, ServerAddress endpoint, String database, boolean multimed, long seed)
            throws IOException {
        this.master = master;
        this.database = database;
        try (WireSession owner = WireSession.open(master, "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + database);
        }
        try (WireSession session = onMaster()) {
            session.rows(Schema.CREATE);
            session.rows(Schema.fill(Workload.WRITERS));
            MasterOrder.begin(session);
        }
        workload = new Workload(endpoint, database, multimed, seed);
        workload.start();
    }

    private WireSession onMaster() throws IOException {
        return WireSession.open(master, "postgres", database, PATIENCE);
    }

    Recording recording() {
        return workload.recording();
    }

    /** Stops the sessions and has the history checked. */
    Report end(Promise promise) throws Exception {
        Recording recording = workload.stop();
        try (WireSession session = onMaster()) {
            List<Commit> order = MasterOrder.end(session);
            return Checker.check(recording.updates(), recording.reads(), order, promise);
        }
    }

    /** Digests of all tables on any of the engines. */
    List<List<@Nullable String>> checksums(ServerAddress engine) throws IOException {
        List<List<@Nullable String>> all = new ArrayList<>();
        try (WireSession session = WireSession.open(engine, "postgres", database, PATIENCE)) {
            for (String table : Schema.TABLES) {
                all.addAll(Objects.requireNonNull(session.rows("SELECT '" + table
                        + "', count(*), md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM " + table
                        + " AS t")));
            }
        }
        return all;
    }

    void dropDatabase() throws IOException {
        try (WireSession owner = WireSession.open(master, "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }
}
