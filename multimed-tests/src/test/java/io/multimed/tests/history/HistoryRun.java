package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Snapshots;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One database of a PostgreSQL with the workload on it, from its creation to the verdict. */
final class HistoryRun {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CHECKSUM_PATIENCE = Duration.ofMinutes(10);

    /** SQLSTATEs of conflicts between writers, and of the death of an engine under its clients. */
    private static final Set<String> EXPECTED = Set.of("40001", "08006", "08007", "57P01", "57P02", "cannot connect");

    private final ServerAddress master;
    private final String database;
    private final RecordedHistory history;

    /**
     * Makes the database and starts the workload.
     *
     * @param master the engine that executes every update, itself
     * @param endpoint the address of the clients' sessions
     */
    HistoryRun(ServerAddress master, ServerAddress endpoint, String database, boolean multimed, long seed)
            throws IOException {
        this(master, endpoint, Credentials.TRUSTED, database, multimed, seed);
    }

    HistoryRun(
            ServerAddress master,
            ServerAddress endpoint,
            Credentials credentials,
            String database,
            boolean multimed,
            long seed)
            throws IOException {
        this.master = master;
        this.database = database;
        Clients clients = PostgresClients.of(endpoint, credentials, database, multimed);
        try (WireSession owner = WireSession.open(master, "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + database);
        }
        try (WireSession session = onMaster()) {
            session.rows(Schema.CREATE);
            session.rows(Schema.fill(clients.writers().size()));
            MasterOrder.begin(session);
        }
        history = new RecordedHistory(clients, seed);
    }

    private WireSession onMaster() throws IOException {
        return WireSession.open(master, "postgres", database, PATIENCE);
    }

    Recording recording() {
        return history.recording();
    }

    /** Stops the sessions and checks the history. */
    Report end(Promise promise) throws Exception {
        history.stop();
        try (WireSession session = onMaster()) {
            return history.check(MasterOrder.end(session), promise, Snapshots.PREFIXES);
        }
    }

    /** Asserts that the history found by {@link #end} keeps the guarantees, and that it is long enough. */
    void assertKept(Report report) {
        String summary = history.assertKept(report, EXPECTED);
        assertTrue(report.satelliteReads() > 100, summary);
    }

    /** Asserts that the Satellites, which have replayed everything, hold the Master's contents. */
    void assertConverged(List<ServerAddress> satellites) throws IOException {
        assertConverged(database, satellites);
    }

    /** Asserts the same in another database. */
    void assertConverged(String other, List<ServerAddress> satellites) throws IOException {
        List<List<@Nullable String>> wanted = checksums(master, other);
        assertTrue(!wanted.isEmpty(), "no tables in " + other);
        for (ServerAddress satellite : satellites) {
            assertEquals(wanted, checksums(satellite, other), () -> "Satellite at " + satellite);
        }
    }

    /** Asserts that a partial Satellite, which has applied everything, carries these tables with the Master's contents. */
    void assertPartConverged(ServerAddress satellite, List<String> tables) throws IOException {
        List<List<@Nullable String>> carried = checksums(satellite, database);
        assertEquals(tables, carried.stream().map(List::getFirst).toList());
        List<List<@Nullable String>> wanted = checksums(master, database).stream()
                .filter(table -> tables.contains(table.getFirst()))
                .toList();
        assertEquals(wanted, carried);
    }

    /** Returns digests of all tables of a database on any of the engines; tables may be of any size. */
    private static List<List<@Nullable String>> checksums(ServerAddress engine, String database) throws IOException {
        List<List<@Nullable String>> all = new ArrayList<>();
        try (WireSession session = WireSession.open(engine, "postgres", database, CHECKSUM_PATIENCE)) {
            for (List<@Nullable String> table : session.rows("SELECT relname FROM pg_class WHERE relkind = 'r'"
                    + " AND relnamespace = 'public'::regnamespace ORDER BY relname")) {
                String name = table.getFirst();
                all.addAll(session.rows("SELECT '" + name + "', count(*), sum(hashtextextended(t::text, 0)::numeric),"
                        + " sum(hashtextextended(t::text, 1)::numeric) FROM " + name + " AS t"));
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
