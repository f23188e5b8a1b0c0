package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.writeset.CaptureCases;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.postgresql.writeset.Subscription;
import io.multimed.engine.postgresql.writeset.TakenTransactions;
import io.multimed.engine.postgresql.writeset.Transaction;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The write sets' SCNs are the relay's: floors and waiting mean the same for partial Satellites. */
@Timeout(120)
@Tag("slow")
class WriteSetScnTest {
    /** Transactions of one commit record each, by their statements. */
    private static final List<List<String>> TRANSACTIONS = List.of(
            List.of("INSERT INTO t VALUES (1, 'plain')"),
            List.of("BEGIN", "UPDATE t SET v = 'block' WHERE id = 1", "INSERT INTO t VALUES (2)", "COMMIT"),
            List.of("INSERT INTO t SELECT i, 'large' FROM generate_series(1000, 5000) i"),
            List.of(
                    "BEGIN",
                    "INSERT INTO t VALUES (3)",
                    "SAVEPOINT a",
                    "INSERT INTO t VALUES (4)",
                    "SAVEPOINT b",
                    "INSERT INTO t SELECT i, 'large, undone' FROM generate_series(5001, 9000) i",
                    "ROLLBACK TO b",
                    "RELEASE a",
                    "COMMIT"),
            List.of(
                    "BEGIN",
                    "SAVEPOINT a",
                    "INSERT INTO t SELECT i, 'large' FROM generate_series(10000, 13000) i",
                    "RELEASE a",
                    "UPDATE t SET v = 'again' WHERE id >= 12000",
                    "COMMIT"),
            List.of("BEGIN", "INSERT INTO t VALUES (5)", "PREPARE TRANSACTION 'p'", "COMMIT PREPARED 'p'"),
            List.of(
                    "BEGIN",
                    "INSERT INTO t SELECT i, 'large, prepared' FROM generate_series(20000, 23000) i",
                    "SAVEPOINT a",
                    "DELETE FROM t WHERE id = 1",
                    "PREPARE TRANSACTION 'p'",
                    "COMMIT PREPARED 'p'"),
            // Its record has the invalidations of the catalog with it.
            List.of("BEGIN", "CREATE TABLE further (id int)", "INSERT INTO t VALUES (6)", "COMMIT"),
            List.of("TRUNCATE t"));

    static Stream<Arguments> installations() throws Exception {
        return Installations.all().stream()
                .flatMap(bin -> Stream.of(CaptureKind.values()).map(capture -> Arguments.of(bin, capture)));
    }

    @ParameterizedTest
    @MethodSource("installations")
    void eachKindOfCommitHasTheRelaysScn(Path bin, CaptureKind capture) throws Exception {
        try (TestEngine master = TestEngine.create(
                        bin,
                        "wal_level = " + CaptureCases.walLevel(capture),
                        "logical_decoding_work_mem = 64kB",
                        "autovacuum = off")
                .start()) {
            try (RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL).connected();
                    Connection client = master.connect();
                    Statement statement = client.createStatement();
                    MasterWriteSets writeSets = new MasterWriteSets(
                            new NodeAddress(master.socketDirectory(), master.port()),
                            "postgres",
                            "postgres",
                            capture)) {
                statement.execute("CREATE TABLE t (id int PRIMARY KEY, v text)");
                statement.execute("CREATE TABLE elsewhere (id int)");
                MasterWriteSets.Joining joining = writeSets.prepare(List.of("public.t"));
                Subscription subscription = joining.join(table -> true, position(master));
                List<Long> floors = new ArrayList<>();
                List<Long> scns = new ArrayList<>();
                for (List<String> transaction : TRANSACTIONS) {
                    for (String sql : transaction) {
                        statement.execute(sql);
                    }
                    floors.add(relay.log.floor());
                    // Read here, so that each is taken by itself.
                    for (Transaction taken : TakenTransactions.until(subscription, relay.log.floor())) {
                        scns.add(taken.scn());
                    }
                }
                assertEquals(floors, scns);
                passesCommitsThatConcernNobody(statement, relay, subscription, writeSets);
            }
        }
    }

    private static void passesCommitsThatConcernNobody(
            Statement statement, RelayFixture relay, Subscription subscription, MasterWriteSets writeSets)
            throws SQLException, InterruptedException {
        for (int i = 0; i < 200; i++) {
            statement.execute("INSERT INTO elsewhere VALUES (" + i + ")");
            long floor = relay.log.floor();
            if (i % 2 == 0) {
                writeSets.requestProgress();
            }
            assertTrue(TakenTransactions.until(subscription, floor).isEmpty());
        }
    }

    private static long position(TestEngine master) throws SQLException {
        return Long.parseLong(master.query("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"));
    }
}
