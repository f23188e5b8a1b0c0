package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.wire.Lsn;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scanner's results on PostgreSQL's log, compared with PostgreSQL's own inspection of it. */
@Tag("slow")
class CommitRecordsEngineTest {
    private static final int SEGMENT = 1 << 20;

    private record Found(long end, long xid, boolean catalog) {}

    static List<Path> installations() throws Exception {
        return Installations.all();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void findsTheCommitsThatPostgresFinds(Path bin) throws Exception {
        try (TestEngine engine = TestEngine.create(bin, "synchronous_standby_names = ''", "wal_keep_size = 1GB")) {
            engine.start();
            engine.execute("CREATE EXTENSION pg_walinspect");
            String start = engine.query("SELECT pg_walfile_name(pg_current_wal_lsn())");
            int segment =
                    Integer.parseInt(engine.query("SELECT setting FROM pg_settings WHERE name = 'wal_segment_size'"));
            workload(engine);
            engine.execute("CHECKPOINT");
            long end = Lsn.parse(engine.query("SELECT pg_current_wal_flush_lsn()"));
            List<Path> files;
            try (var names = Files.list(engine.data().resolve("pg_wal"))) {
                files = names.filter(file -> file.getFileName().toString().matches("[0-9A-F]{24}"))
                        .filter(file -> file.getFileName().toString().compareTo(start) >= 0)
                        .sorted()
                        .toList();
            }
            long begin = segmentStart(start, segment);
            List<Found> found = scan(files, segment, begin, end);
            List<Found> expected = inspect(engine, begin, end);
            assertEquals(expected, found);
            assertTrue(found.size() > 220, () -> found.size() + " commits");
        }
    }

    private static long segmentStart(String file, int segment) {
        long log = Long.parseLong(file.substring(8, 16), 16);
        long number = Long.parseLong(file.substring(16), 16);
        return (log << 32) + number * segment;
    }

    /** Every kind of commit record, sizes that lie across pages, switches of segments. */
    private static void workload(TestEngine engine) throws Exception {
        Random random = new Random(1);
        try (Connection connection = engine.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id int PRIMARY KEY, filler text)");
            for (int i = 0; i < 200; i++) {
                statement.execute("INSERT INTO t VALUES (" + i + ", repeat('x', " + random.nextInt(1, 12_000) + "))");
                if (i % 50 == 10) {
                    statement.execute("SELECT pg_switch_wal()");
                }
            }
            for (int i = 0; i < 9; i++) {
                statement.execute("CREATE TABLE dropped" + i + " (id serial PRIMARY KEY, t text)");
                statement.execute("BEGIN");
                for (int s = 0; s < 60 * i; s++) {
                    statement.execute("SAVEPOINT s" + s);
                    statement.execute("INSERT INTO dropped" + i + " (t) VALUES ('x')");
                    statement.execute("RELEASE s" + s);
                }
                statement.execute("DROP TABLE dropped" + Math.max(0, i - 1));
                statement.execute("CREATE TABLE dropped" + Math.max(0, i - 1) + " ()");
                statement.execute("PREPARE TRANSACTION 'p" + i + "'");
                statement.execute("INSERT INTO t VALUES (" + (1000 + i) + ", '')");
                statement.execute((i % 7 == 3 ? "ROLLBACK" : "COMMIT") + " PREPARED 'p" + i + "'");
            }
            statement.execute("INSERT INTO t SELECT g, repeat('y', 500) FROM generate_series(2000, 60000) g");
            statement.execute("CREATE ROLE someone");
            statement.execute("DELETE FROM t WHERE id < 1500");
            statement.execute("VACUUM t");
        }
    }

    private static List<Found> scan(List<Path> files, int segment, long begin, long end) throws Exception {
        List<Found> found = new ArrayList<>();
        RecordScanner scanner = new RecordScanner(
                segment,
                8192,
                begin,
                new CommitRecords(
                        (commitEnd, xid, changed, databaseOid) ->
                                found.add(new Found(commitEnd, Integer.toUnsignedLong(xid), changed != null)),
                        new CatalogInserts()));
        ByteBuffer bytes = ByteBuffer.allocate(SEGMENT);
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(bytes.clear()) > 0 && scanner.position() < end) {
                    bytes.flip();
                    bytes.limit((int) Math.min(bytes.limit(), end - scanner.position()));
                    scanner.scan(bytes);
                }
            }
        }
        assertEquals(end, scanner.position());
        return found;
    }

    private static List<Found> inspect(TestEngine engine, long begin, long end) throws Exception {
        List<Found> expected = new ArrayList<>();
        try (Connection connection = engine.connect();
                Statement statement = connection.createStatement();
                ResultSet records = statement.executeQuery(
                        "SELECT end_lsn::text, xid::text, record_type, description"
                                + " FROM pg_get_wal_records_info('" + Lsn.format(begin + 40) + "', '" + Lsn.format(end)
                                + "')"
                                + " WHERE resource_manager = 'Transaction' AND record_type LIKE 'COMMIT%' ORDER BY end_lsn::pg_lsn")) {
            while (records.next()) {
                String description = records.getString(4);
                // "xid: time; ..." for a prepared transaction, "time; ..." otherwise.
                long xid = records.getString(3).equals("COMMIT")
                        ? Long.parseLong(records.getString(2))
                        : Long.parseLong(description.substring(0, description.indexOf(':')));
                expected.add(new Found(Lsn.parse(records.getString(1)), xid, description.contains("inval msgs")));
            }
        }
        return expected;
    }
}
