package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.random.Seed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A second real engine of the same schema, fed from the Master's log, compared with the Master at one position. */
@Timeout(240)
@Tag("slow")
class ApplierTest {
    private static final List<String> TABLES =
            List.of("types", "\"odd \"\"names\".\"T \"\"1\"", "toasted", "loose", "parts").stream()
                    .map(table -> table.startsWith("\"") ? table : "public." + table)
                    .toList();

    private static final List<String> SCHEMA = List.of(
            "CREATE SCHEMA \"odd \"\"names\"",
            "CREATE TYPE mood AS ENUM ('sad', 'it''s \"so\" so', 'happy')",
            "CREATE DOMAIN positive AS numeric CHECK (VALUE > 0)",
            "CREATE TYPE pair AS (a int, b text)",
            "CREATE DOMAIN twins AS pair",
            "CREATE TABLE types (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, d positive, p pair, t twins,"
                    + " ps pair[], n int[], w text[], r int4range, j json, jb jsonb, b bytea, f float8, g real, ts timestamptz,"
                    + " day date, i interval, c char(5), v varchar(20), bits bit(3), u uuid, net inet, bo boolean, k \"char\","
                    + " bx box[], x xml, mo money, tv tsvector, twice int GENERATED ALWAYS AS (n[1] * 2) STORED)",
            "CREATE TABLE \"odd \"\"names\".\"T \"\"1\" (\"a \"\"key\" text, b numeric, \"Value\" text, u int UNIQUE,"
                    + " PRIMARY KEY (\"a \"\"key\", b))",
            "CREATE TABLE toasted (id int PRIMARY KEY, n int, large text, other text)",
            "CREATE TABLE loose (a int, b text, c json, d char(4), e bool)",
            "ALTER TABLE loose REPLICA IDENTITY FULL",
            "CREATE TABLE parts (id int, at int, v text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)",
            "CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (50)",
            "CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (50) TO (100)",
            "ALTER TABLE toasted ALTER large SET STORAGE EXTERNAL",
            "CREATE FUNCTION exchange(a int, b int) RETURNS void LANGUAGE sql AS $$"
                    + " UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = -1 WHERE u = a;"
                    + " UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = a WHERE u = b;"
                    + " UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = b WHERE u = -1 $$");

    /** Each table's rows, of every value as text, in an order. */
    private static final List<String> CONTENTS = List.of(
            "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text COLLATE \"C\"), '')) FROM types t",
            "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text COLLATE \"C\"), '') FROM \"odd \"\"names\".\"T \"\"1\" t",
            "SELECT coalesce(string_agg(id || ' ' || n || ' ' || md5(large) || ' ' || coalesce(other, '-'), '|' ORDER BY id), '')"
                    + " FROM toasted",
            "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text COLLATE \"C\"), '') FROM loose t",
            "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text COLLATE \"C\"), '') FROM parts t");

    private static final String TYPES =
            "(m, d, p, ps, n, w, r, j, jb, b, f, g, ts, day, i, c, v, bits, u, net, bo, k, bx, x, mo,"
                    + " tv, t) VALUES ";
    private static final List<String> VALUES = List.of(
            "('sad', 0.10, (1, 'a\"b\\,'), ARRAY[(1, NULL)::pair, NULL, (2, '{}')::pair], '{{1,2},{3,NULL}}', ARRAY['a\"', NULL, '', '\\'],"
                    + " '[1,5)', '{\"a\" : 1}', '{\"a\":1}', '\\x00ff5c', '-0', 'NaN', 'infinity', '-infinity', '1 mon -3 days',"
                    + " 'ab', 'x', '101', '00000000-0000-0000-0000-000000000001', '10.1.2.3/8', true, 'q',"
                    + " ARRAY[box '((1,2),(3,4))', box '((0,0),(1,1))'], '<a>1</a>', '-12.34', '''a'':1 ''b c'':2', (3, 'z'))",
            "('it''s \"so\" so', NULL, NULL, '{}', '{}', '{}', 'empty', 'null', '[]', '', 'Infinity', '1e-40', '0044-01-01 BC', '5874897-12-31',"
                    + " '0', '', '', '000', NULL, '::1', false, '', NULL, 'text', '0', '', NULL)",
            "(NULL, 1e100, (NULL, ''), NULL, NULL, '{NULL,NULL}', '(,)', NULL, 'null', NULL, 1.1, 3.4e38, now(), now(), '1.000001 s',"
                    + " ' a ', ' a ', '111', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, (NULL, NULL))");

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    /** A Master, a Satellite of the same tables, and the way between. */
    private static final class Way implements AutoCloseable, SubscriberPositions {
        private static final int LONGEST_JUMP = 3000;

        final PlainPostgres master;
        final PlainPostgres satellite;
        final Connection client;
        final Connection reader;
        final MasterWriteSets writeSets;
        final Subscription subscription;
        final Applier applier;
        final AtomicLong forwarded = new AtomicLong();
        final AtomicLong applied = new AtomicLong();
        /** Whether some groups must not be shown without what follows them. */
        volatile boolean jumping;
        /** How often the applier had to take more. */
        final AtomicLong jumps = new AtomicLong();
        /** The position that must be reached before anything is shown; used by the applier's thread. */
        private long whole;

        private final Random steps = new Random(1);
        final AtomicReference<Throwable> lost = new AtomicReference<>();
        final CountDownLatch end = new CountDownLatch(1);

        Way(EngineBinaries release) throws Exception {
            this(release, Duration.ofMinutes(1));
        }

        Way(EngineBinaries release, Duration patience) throws Exception {
            this(release, patience, CaptureKind.LOG);
        }

        Way(EngineBinaries release, Duration patience, CaptureKind capture) throws Exception {
            master = LogicalStreamTest.start(release, capture);
            satellite = LogicalStreamTest.start(release);
            client = LogicalStreamTest.connect(master);
            reader = LogicalStreamTest.connect(satellite);
            for (String sql : SCHEMA) {
                execute(client, sql);
                execute(reader, sql);
            }
            writeSets = new MasterWriteSets(LogicalStreamTest.address(master), "postgres", "postgres", capture);
            subscription = writeSets.prepare(TABLES).join(table -> true, LogicalStreamTest.end(client));
            applier = new Applier(
                    "1",
                    subscription,
                    () -> LogicalStreamTest.connect(satellite),
                    this,
                    Map.of(),
                    patience,
                    UnaryOperator.identity());
            applier.start();
        }

        /** Compares all tables, when the Satellite has applied everything. */
        void compare(String context) throws Exception {
            if (jumping) {
                // The log must go on to where the last jump ends.
                jumping = false;
                execute(client, "SELECT pg_logical_emit_message(true, 'end', repeat('x', " + 2 * LONGEST_JUMP + "))");
            }
            long position = LogicalStreamTest.end(client);
            writeSets.requestProgress();
            boolean reached = subscription.await(position, 60, TimeUnit.SECONDS);
            assertNull(lost.get(), context);
            assertTrue(reached, context);
            assertTrue(applied.get() >= position && forwarded.get() >= applied.get(), context);
            for (String content : CONTENTS) {
                assertEquals(
                        LogicalStreamTest.query(client, content), LogicalStreamTest.query(reader, content), context);
            }
        }

        @Override
        public long forwarded(long scn) {
            if (jumping && scn > whole && steps.nextInt(3) == 0) {
                whole = scn + 1 + steps.nextInt(LONGEST_JUMP);
                jumps.incrementAndGet();
                return whole;
            }
            forwarded.set(scn);
            return scn;
        }

        @Override
        public void applied(long scn) {
            if (scn < whole) {
                lost.set(new IllegalStateException("shows " + scn + " without " + whole));
            }
            applied.set(scn);
        }

        @Override
        public void lost(Throwable cause) {
            lost.set(cause);
            end.countDown();
        }

        @Override
        public void close() throws SQLException, IOException {
            applier.close();
            writeSets.close();
            client.close();
            reader.close();
            master.close();
            satellite.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void everyTypeAndEveryKindOfRowIsTheMasters(EngineBinaries release, CaptureKind capture) throws Exception {
        try (Way way = new Way(release, Duration.ofMinutes(1), capture)) {
            Connection client = way.client;
            for (String value : VALUES) {
                execute(client, "INSERT INTO types " + TYPES + value);
            }
            way.compare("inserts");
            execute(client, "UPDATE types SET v = 'other', n = '{7}'");
            execute(client, "UPDATE types SET id = DEFAULT WHERE id = 1", "DELETE FROM types WHERE id = 2");
            way.compare("updates of every type, and of an identity that is always generated");
            execute(client, "INSERT INTO toasted VALUES (1, 1, repeat('abc', 5000), 'x'), (2, 2, NULL, NULL)");
            execute(
                    client,
                    "UPDATE toasted SET n = n + 1",
                    "UPDATE toasted SET id = 3, other = repeat('y', 9000) WHERE id = 1");
            execute(client, "UPDATE toasted SET n = 7");
            way.compare("values that are stored apart");
            execute(client, "INSERT INTO loose SELECT 1, 'same', '{\"a\": 1}', 'x', true FROM generate_series(1, 4)");
            execute(client, "INSERT INTO loose VALUES (NULL, NULL, NULL, NULL, NULL), (NULL, '', '1', '', false)");
            way.compare("rows without a key");
            execute(client, "DELETE FROM loose WHERE ctid = (SELECT min(ctid) FROM loose)");
            execute(client, "UPDATE loose SET b = 'other' WHERE ctid = (SELECT min(ctid) FROM loose)");
            execute(client, "UPDATE loose SET b = 'was null' WHERE b IS NULL");
            way.compare("one of several equal rows");
            execute(client, "INSERT INTO parts SELECT i, i, 'v' FROM generate_series(0, 99) i");
            execute(client, "UPDATE parts SET at = 99 - at", "DELETE FROM parts_low WHERE id % 3 = 0");
            way.compare("partitions");
            execute(client, "BEGIN", "INSERT INTO parts VALUES (1000, 1)", "TRUNCATE parts, toasted RESTART IDENTITY");
            execute(client, "INSERT INTO parts VALUES (1, 1)", "COMMIT");
            way.compare("truncation");
            assertEquals(0, way.applier.counts().redone());
            execute(client, "INSERT INTO \"odd \"\"names\".\"T \"\"1\" VALUES ('a', 1.0, 'x', 1), ('b', 1, '''\"', 2)");
            // In one group with their inserts they would only be other rows.
            way.compare("rows with a unique value");
            execute(client, "BEGIN", "UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = -1 WHERE u = 1");
            execute(client, "UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = 1 WHERE u = 2");
            execute(client, "UPDATE \"odd \"\"names\".\"T \"\"1\" SET u = 2 WHERE u = -1", "COMMIT");
            way.compare("rows that exchange a unique value");
            assertEquals(1, way.applier.counts().redone());
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void manyNewRowsOfEveryTypeAreTheMasters(EngineBinaries release) throws Exception {
        try (Way way = new Way(release)) {
            Connection client = way.client;
            execute(client, "BEGIN");
            for (int i = 0; i < 30; i++) {
                for (String value : VALUES) {
                    execute(client, "INSERT INTO types " + TYPES + value);
                }
            }
            execute(client, "COMMIT");
            way.compare("every type");
            execute(client, """
                    INSERT INTO toasted SELECT i, i,
                        CASE WHEN i % 50 = 0 THEN repeat(chr(i) || E'\\t\\\\\\n\\r', 40000) END,
                        (ARRAY[E'\\t', E'\\n', E'\\r', E'\\\\', E'\\\\N', E'\\\\.', '', 'ä€😀', E'\\b\\f\\v', NULL])[1 + i % 10]
                    FROM generate_series(1, 200) i""");
            way.compare("bytes that COPY escapes, and values longer than its messages");
            execute(
                    client,
                    "INSERT INTO loose SELECT i % 3, 'same', NULL, 'x', i % 2 = 0 FROM generate_series(1, 90) i");
            way.compare("rows without a key");
            assertEquals(
                    List.of(0L, 3L),
                    List.of(way.applier.counts().redone(), way.applier.counts().copied()));
            String odd = "\"odd \"\"names\".\"T \"\"1\"";
            execute(client, "INSERT INTO " + odd + " SELECT 'k' || i, i, NULL, i FROM generate_series(1, 100) i");
            way.compare("before the conflict");
            execute(client, "BEGIN", "UPDATE " + odd + " SET u = u + 1000, \"Value\" = 'x' WHERE u > 50");
            execute(client, "INSERT INTO " + odd + " SELECT 'n' || i, i, NULL, i FROM generate_series(51, 100) i");
            execute(client, "UPDATE " + odd + " SET u = u + 10000 WHERE \"Value\" = 'x'", "COMMIT");
            way.compare("new rows beside others that have given their unique values up");
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aReadersLockDelaysAndADifferenceEndsIt(EngineBinaries release) throws Exception {
        try (Way way = new Way(release)) {
            execute(way.client, "INSERT INTO parts VALUES (1, 1), (2, 2)");
            way.compare("before");
            execute(way.reader, "BEGIN", "SELECT * FROM parts");
            execute(way.client, "TRUNCATE parts");
            TestEngines.await(
                    "a group waits", () -> way.applier.counts().delayed.get() > 0);
            execute(way.reader, "COMMIT");
            way.compare("after the reader");
            execute(way.client, "INSERT INTO parts VALUES (1, 1), (2, 2)");
            way.compare("again");
            execute(way.reader, "DELETE FROM parts WHERE id = 1");
            execute(way.client, "UPDATE parts SET v = 'x' WHERE id = 1");
            assertTrue(way.end.await(30, TimeUnit.SECONDS));
            assertTrue(way.lost.get() instanceof DivergedException, String.valueOf(way.lost.get()));
            execute(way.client, "UPDATE parts SET v = 'x' WHERE id = 2");
            assertEquals("0", LogicalStreamTest.query(way.reader, "SELECT count(*) FROM parts WHERE v = 'x'"));
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aReaderThatStaysIsEndedAfterTheDelay(EngineBinaries release) throws Exception {
        try (Way way = new Way(release, Duration.ZERO);
                Connection stays = LogicalStreamTest.connect(way.satellite);
                Connection reads = LogicalStreamTest.connect(way.satellite)) {
            execute(way.client, "INSERT INTO parts VALUES (1, 1), (2, 2)");
            way.compare("before");
            execute(reads, "BEGIN", "SELECT * FROM types");
            execute(stays, "BEGIN", "SELECT * FROM parts");
            execute(way.client, "TRUNCATE parts");
            way.compare("past the reader");
            assertEquals(1, way.applier.counts().ended.get());
            SQLException gone = assertThrows(SQLException.class, () -> execute(stays, "SELECT 1"));
            assertTrue(List.of("57P01", "08006").contains(gone.getSQLState()), gone.getSQLState());
            execute(reads, "SELECT * FROM types", "COMMIT");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void randomTransactionsLeadToTheMastersTables(EngineBinaries release, CaptureKind capture) throws Exception {
        long seed = Seed.of("multimed.writeset.seed");
        Random random = new Random(seed);
        try (Way way = new Way(release, Duration.ofMinutes(1), capture)) {
            long transactions = Long.getLong("multimed.writeset.transactions", 600);
            for (long number = 0; number < transactions; number++) {
                execute(way.client, "BEGIN");
                for (int statements = 1 + random.nextInt(5); statements > 0; statements--) {
                    step(way.client, random);
                }
                execute(way.client, random.nextInt(8) == 0 ? "ROLLBACK" : "COMMIT");
                way.jumping = true;
                if (random.nextInt(60) == 0) {
                    way.compare("seed " + seed + ", transaction " + number);
                }
            }
            way.compare("seed " + seed + ", end");
            List<Long> counts = new ArrayList<>(List.of(way.applier.counts().compacted() / 10, way.jumps.get() / 10));
            if (capture == CaptureKind.LOG) {
                counts.addAll(List.of(way.applier.counts().redone(), way.writeSets.streamed()));
            }
            assertTrue(
                    counts.stream().allMatch(count -> count > 2),
                    "compacted / 10, jumps / 10, redone, streamed: " + counts);
        }
    }

    /** One or more changes; those that the Master refuses are rolled back to a savepoint. */
    private static void step(Connection client, Random random) throws SQLException {
        int id = random.nextInt(12);
        int other = random.nextInt(12);
        String odd = "\"odd \"\"names\".\"T \"\"1\"";
        String key = " WHERE \"a \"\"key\" = 'k" + id + "'";
        String sql = switch (random.nextInt(18)) {
            case 0, 1 -> "INSERT INTO " + odd + " VALUES ('k" + id + "', " + id + ".0, NULL, " + other + ")";
            case 2 -> "UPDATE " + odd + " SET \"a \"\"key\" = 'k" + other + "'" + key;
            case 3 -> "UPDATE " + odd + " SET \"Value\" = '" + other + "', b = b / 1.00" + key;
            case 4 -> "DELETE FROM " + odd + key;
            case 5 -> "WITH x AS (SELECT min(u) a, max(u) b FROM " + odd + ") SELECT exchange(a, b) FROM x WHERE a < b";
            case 6 -> "INSERT INTO types " + TYPES + VALUES.get(random.nextInt(VALUES.size()));
            case 7 -> "UPDATE types SET i = '" + other + " min' WHERE id % 12 = " + id;
            case 8 -> "DELETE FROM types WHERE id % 12 = " + id;
            case 9 -> "INSERT INTO toasted VALUES (" + id + ", 0, repeat('" + other + "', 4000), NULL)";
            case 10 -> "UPDATE toasted SET n = n + 1 WHERE id = " + id;
            case 11 -> "UPDATE toasted SET id = " + other + " WHERE id = " + id;
            case 12 ->
                "INSERT INTO loose SELECT " + id + ", 'x', '" + other + "', 'y', NULL FROM generate_series(1, 3)";
            case 13 ->
                "UPDATE loose SET b = b || 'x' WHERE ctid IN (SELECT ctid FROM loose WHERE a = " + id + " LIMIT 2)";
            case 14 -> "DELETE FROM loose WHERE ctid IN (SELECT ctid FROM loose WHERE a = " + id + " LIMIT 2)";
            case 15 -> "INSERT INTO parts SELECT i, " + id + " * 8, 'v' FROM generate_series(1, " + (1 << id) + ") i";
            case 16 -> "UPDATE parts SET at = " + other + " * 8 WHERE at = " + id + " * 8";
            default -> random.nextInt(4) == 0 ? "TRUNCATE parts, loose" : "DELETE FROM parts WHERE at = " + id + " * 8";
        };
        execute(client, "SAVEPOINT s");
        try {
            execute(client, sql);
            execute(client, random.nextInt(6) == 0 ? "ROLLBACK TO s" : "RELEASE s");
        } catch (SQLException e) {
            execute(client, "ROLLBACK TO s");
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        LogicalStreamTest.execute(connection, statements);
    }
}
