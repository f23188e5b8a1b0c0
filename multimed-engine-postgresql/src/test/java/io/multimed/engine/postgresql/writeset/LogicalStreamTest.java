package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.testkit.postgres.PlainPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stream of a real Master, of each release. */
@Timeout(120)
@Tag("slow")
class LogicalStreamTest {
    private static final long MEMORY = 1 << 20;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void transactionsArriveWholeInOrderAndThePositionPassesTheOthers(EngineBinaries release) throws Exception {
        try (PlainPostgres master = start(release);
                Connection client = connect(master)) {
            execute(client, "CREATE TABLE a (id int PRIMARY KEY, text text)", "CREATE TABLE b (id int PRIMARY KEY)");
            execute(client, "CREATE TABLE elsewhere (id int)");
            try (MasterWriteSets writeSets = writeSets(master, Duration.ofSeconds(30))) {
                MasterWriteSets.Joining joining = writeSets.prepare(List.of("public.a", "public.b"));
                long from = end(client);
                Subscription all = joining.join(table -> true, from);
                Subscription b = writeSets
                        .prepare(List.of("public.b"))
                        .join(table -> table.name().equals("b"), end(client));
                execute(client, "BEGIN", "INSERT INTO a VALUES (1, 'x')", "SAVEPOINT s", "INSERT INTO a VALUES (2)");
                execute(client, "ROLLBACK TO s", "INSERT INTO b VALUES (3)", "COMMIT");
                execute(client, "INSERT INTO a VALUES (4, NULL)");
                execute(client, "INSERT INTO elsewhere VALUES (5)");
                long end = end(client);

                List<Transaction> ofAll = takeUntil(all, end);
                assertEquals(
                        List.of(2, 1),
                        ofAll.stream().map(t -> t.changes().size()).toList());
                assertTrue(
                        ofAll.get(0).scn() < ofAll.get(1).scn() && ofAll.get(1).scn() < end);
                List<Transaction> ofB = takeUntil(b, end);
                assertEquals(ofAll.get(0).scn(), ofB.get(0).scn());
                assertEquals(1, ofB.size());
                assertEquals(Row.of("3"), ((Change.Insert) ofB.get(0).changes().get(0)).row());
                // The slot is not released before all are done.
                TestEngines.await("the confirmed position", () -> {
                    writeSets.requestProgress();
                    return query(
                                    client,
                                    "SELECT bool_and(confirmed_flush_lsn >= '" + Lsn.format(end)
                                            + "') FROM pg_replication_slots WHERE NOT temporary")
                            .equals("t");
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void largeTransactionsAreStreamedAndTooLargeOnesEndTheStreamAlone(EngineBinaries release) throws Exception {
        try (PlainPostgres master = start(release);
                Connection client = connect(master)) {
            execute(client, "CREATE TABLE a (id int PRIMARY KEY, text text)");
            try (MasterWriteSets writeSets = writeSets(master, Duration.ofSeconds(30))) {
                Subscription all = writeSets.prepare(List.of("public.a")).join(table -> true, end(client));
                execute(
                        client,
                        "BEGIN",
                        "INSERT INTO a SELECT i, 'kept' FROM generate_series(1, 2000) i",
                        "SAVEPOINT s");
                execute(client, "INSERT INTO a SELECT i FROM generate_series(5001, 7000) i", "ROLLBACK TO s");
                execute(client, "INSERT INTO a SELECT i FROM generate_series(3001, 4000) i", "COMMIT");
                List<Transaction> kept = takeUntil(all, end(client));
                assertEquals(
                        List.of(3000),
                        kept.stream().map(t -> t.changes().size()).toList());
                assertEquals(1, writeSets.streamed());

                execute(client, "INSERT INTO a SELECT i FROM generate_series(10000, 30000) i");
                TestEngines.await("the end", () -> all.ended() != null);
                assertTrue(all.ended() instanceof WriteSetTooLargeException, String.valueOf(all.ended()));
                assertNull(all.take(MEMORY));
            }
            // The Master goes on.
            execute(client, "INSERT INTO a VALUES (0)");
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aSlotThatCannotBeCreatedInTimeNamesWhatItWaitsFor(EngineBinaries release) throws Exception {
        try (PlainPostgres master = start(release);
                Connection client = connect(master);
                Connection writer = connect(master)) {
            execute(client, "CREATE TABLE a (id int PRIMARY KEY)");
            execute(writer, "BEGIN", "INSERT INTO a VALUES (1)");
            String pid = query(writer, "SELECT pg_backend_pid()");
            try (MasterWriteSets writeSets = writeSets(master, Duration.ofSeconds(2))) {
                EngineException late =
                        assertThrows(EngineException.class, () -> writeSets.prepare(List.of("public.a")));
                assertTrue(late.getMessage().contains("process " + pid + " of postgres"), late.getMessage());
                awaitNothingLeft(client);
                execute(writer, "COMMIT");
                writeSets.prepare(List.of("public.a")).close();
                awaitNothingLeft(client);
            }
        }
    }

    static void awaitNothingLeft(Connection client) throws Exception {
        String[] left = {""};
        try {
            TestEngines.await("nothing is left", () -> {
                left[0] = query(
                        client,
                        "SELECT coalesce(string_agg(o, '; '), '') FROM (SELECT 'publication ' || pubname FROM pg_publication"
                                + " UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname = 'multimed_capture'"
                                + " UNION ALL SELECT format('slot %s of process %s', slot_name, active_pid) FROM"
                                + " pg_replication_slots) AS left_over (o)");
                return left[0].isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(left[0], e);
        }
    }

    static MasterWriteSets writeSets(PlainPostgres master, Duration patience) {
        return new MasterWriteSets(
                new MasterDatabase(address(master), "postgres", "postgres"),
                new WriteSetLimits(patience, MEMORY, MEMORY, 0),
                CaptureKind.LOG);
    }

    /** Takes everything up to a position, and reports it as done. */
    static List<Transaction> takeUntil(Subscription subscription, long position) throws InterruptedException {
        List<Transaction> taken = new ArrayList<>();
        while (subscription.done() < position) {
            Subscription.Group group = subscription.take(MEMORY);
            assertNotNull(group, String.valueOf(subscription.ended()));
            taken.addAll(group.transactions());
            subscription.done(group);
        }
        return taken;
    }

    static PlainPostgres start(EngineBinaries release) throws Exception {
        return start(release, CaptureKind.LOG);
    }

    static PlainPostgres start(EngineBinaries release, CaptureKind capture) throws Exception {
        Path bin = release.directory();
        return PlainPostgres.start(
                bin,
                Map.of("wal_level", CaptureCases.walLevel(capture), "logical_decoding_work_mem", "64kB"),
                List.of());
    }

    static NodeAddress address(PlainPostgres engine) {
        return new NodeAddress(engine.data().getParent(), engine.tcp().port());
    }

    static Connection connect(PlainPostgres engine) throws SQLException {
        return AdminConnection.open(address(engine), "postgres", "postgres");
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /** Has the Master flush its log, which it would not do for what reads leave there: only what is flushed is sent. */
    static void flush(Connection connection) throws SQLException {
        execute(connection, "SELECT pg_logical_emit_message(true, 'end', '')");
    }

    /** Returns a position behind all commits so far. */
    static long end(Connection connection) throws SQLException {
        return Lsn.parse(query(connection, "SELECT pg_current_wal_lsn()"));
    }
}
