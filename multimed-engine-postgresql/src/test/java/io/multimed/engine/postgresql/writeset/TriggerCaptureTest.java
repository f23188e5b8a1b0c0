package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.engine.postgresql.partial.CatalogDigest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that triggers capture on a real Master of each release, which permits no logical decoding. */
@Timeout(120)
@Tag("slow")
class TriggerCaptureTest {
    private static final Map<String, String> SETTINGS =
            Map.of("wal_level", "replica", "fsync", "off", "max_prepared_transactions", "5");

    /** Triggers of the application's: they change rows of their own table, before and behind those of the statement. */
    private static final List<String> SCHEMA = List.of(
            "CREATE SCHEMA shop",
            "CREATE TABLE shop.a (id int PRIMARY KEY, n int, v text, g int GENERATED ALWAYS AS (id * 2) STORED)",
            "CREATE TABLE shop.b (id int PRIMARY KEY, a int REFERENCES shop.a ON DELETE CASCADE ON UPDATE CASCADE, x text)",
            "CREATE TABLE shop.f (id int PRIMARY KEY, f float8, t timestamptz, i interval, b bytea, x text, r regclass)",
            "CREATE TABLE shop.c (id int PRIMARY KEY, v text)",
            "CREATE TABLE shop.d (id int PRIMARY KEY, v text)",
            "INSERT INTO shop.a SELECT i, 0, 'first' FROM generate_series(1, 100) i",
            "INSERT INTO shop.b SELECT i, i, 'first' FROM generate_series(1, 100) i",
            """
            CREATE FUNCTION shop.behind() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.v = 'next' THEN UPDATE shop.a SET n = n + 10, v = 'by trigger' WHERE id = NEW.id + 1; END IF;
                IF NEW.v = 'take' AND NEW.id <> OLD.id THEN INSERT INTO shop.a VALUES (OLD.id, 77, 'taken'); END IF;
                RETURN NULL;
            END $$""",
            """
            CREATE FUNCTION shop.before() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.v = 'replace' THEN DELETE FROM shop.a WHERE id = NEW.id; END IF;
                RETURN NEW;
            END $$""",
            """
            CREATE FUNCTION shop.emptied() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO shop.c SELECT coalesce(max(id), 0) + 1, TG_WHEN FROM shop.c;
                INSERT INTO shop.d SELECT coalesce(max(id), 0) + 1, TG_WHEN FROM shop.d;
                RETURN NULL;
            END $$""",
            "CREATE TRIGGER a_emptied AFTER TRUNCATE ON shop.c EXECUTE FUNCTION shop.emptied()",
            "CREATE TRIGGER z_emptied BEFORE TRUNCATE ON shop.d EXECUTE FUNCTION shop.emptied()",
            "CREATE TRIGGER z_again AFTER TRUNCATE ON shop.d EXECUTE FUNCTION shop.emptied()",
            "CREATE TRIGGER a_behind AFTER UPDATE ON shop.a FOR EACH ROW EXECUTE FUNCTION shop.behind()",
            "CREATE TRIGGER a_before BEFORE INSERT ON shop.a FOR EACH ROW EXECUTE FUNCTION shop.before()");

    private Path temp;
    private TestMaster master;
    private MasterWriteSets writeSets;
    private Connection client;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeEach
    void makeDirectory() throws Exception {
        temp = TestEngines.directory();
    }

    @AfterEach
    void end() throws Exception {
        if (writeSets != null) {
            writeSets.close();
        }
        if (client != null) {
            client.close();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    private void start(EngineBinaries release) throws Exception {
        master = TestMaster.start(temp, release, SETTINGS);
        writeSets = writeSets("postgres");
        client = master.connect();
        execute(SCHEMA.toArray(String[]::new));
    }

    private MasterWriteSets writeSets(String database) {
        return new MasterWriteSets(
                new MasterDatabase(master.cluster().address(), "postgres", database),
                new WriteSetLimits(Duration.ofSeconds(1), 64 << 20, 64 << 20, 0),
                CaptureKind.TRIGGERS);
    }

    private void execute(String... statements) throws SQLException {
        LogicalStreamTest.execute(client, statements);
    }

    /** Everybody who receives some tables, with what the Master's had when it came. */
    private record Received(Subscription subscription, TableModel model, String[] tables) {}

    private Received receive(String... tables) throws Exception {
        MasterWriteSets.Joining joining = writeSets.prepare(List.of(tables));
        TableModel model = TableModel.of(client, List.of(tables));
        return new Received(joining.join(model::carries, model.position()), model, tables);
    }

    private void compare(Received received) throws Exception {
        TableModel expected = TableModel.of(client, List.of(received.tables));
        LogicalStreamTest.flush(client);
        writeSets.requestProgress();
        received.model.follow(received.subscription, expected.position());
        received.model.requireSame(expected);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void rowsAreTheMastersHoweverTheyChange(EngineBinaries release) throws Exception {
        start(release);
        try (Connection old = master.connect()) {
            LogicalStreamTest.execute(old, "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM shop.b");
            Received received = receive("shop.a", "shop.b", "shop.c", "shop.d", "shop.f");
            LogicalStreamTest.execute(old, "UPDATE shop.b SET x = 'on an old snapshot' WHERE id = 50", "COMMIT");
            compare(received);

            execute("UPDATE shop.a SET n = n + 1, v = 'next' WHERE id IN (1, 2, 3)");
            compare(received);
            execute(
                    "BEGIN",
                    "UPDATE shop.a SET n = 5 WHERE id = 7",
                    "UPDATE shop.a SET id = id + 1000, v = 'take'" + " WHERE id IN (7, 8)",
                    "COMMIT");
            compare(received);
            execute("INSERT INTO shop.a VALUES (9, 9, 'replace'), (2000, 1, 'replace')");
            compare(received);
            execute("UPDATE shop.a SET id = 3000 WHERE id = 10", "DELETE FROM shop.a WHERE id IN (11, 12)");
            compare(received);
            execute("INSERT INTO shop.a VALUES (20, 1, 'x'), (4000, 1, 'x') ON CONFLICT (id) DO UPDATE SET n = 99");
            execute("INSERT INTO shop.a VALUES (20, 1, 'x'), (4001, 1, 'x') ON CONFLICT DO NOTHING");
            execute(
                    "MERGE INTO shop.a USING (VALUES (21), (22), (5000)) AS s (id) ON a.id = s.id WHEN MATCHED AND"
                            + " s.id = 21 THEN DELETE WHEN MATCHED THEN UPDATE SET n = 8 WHEN NOT MATCHED THEN INSERT VALUES (s.id)");
            compare(received);
            execute(
                    "BEGIN",
                    "INSERT INTO shop.a VALUES (6000)",
                    "SAVEPOINT s",
                    "DELETE FROM shop.a WHERE id = 6000",
                    "SAVEPOINT t",
                    "UPDATE shop.a SET n = 1",
                    "ROLLBACK TO s",
                    "UPDATE shop.a SET n = 2 WHERE id = 6000",
                    "SAVEPOINT u",
                    "INSERT INTO shop.a VALUES (6001)",
                    "RELEASE u",
                    "COMMIT");
            compare(received);
            execute(
                    "BEGIN",
                    "INSERT INTO shop.a VALUES (7000)",
                    "DELETE FROM shop.a WHERE id = 30",
                    "PREPARE TRANSACTION 'p'",
                    "INSERT INTO shop.a VALUES (7001)");

            execute(
                    "COMMIT PREPARED 'p'",
                    "BEGIN",
                    "DELETE FROM shop.a",
                    "PREPARE TRANSACTION 'q'",
                    "ROLLBACK PREPARED 'q'");
            compare(received);
            execute(
                    "BEGIN",
                    "INSERT INTO shop.b VALUES (900)",
                    "TRUNCATE shop.a, shop.b",
                    "INSERT INTO shop.a VALUES (1, 1)",
                    "INSERT INTO shop.b VALUES (1, 1)",
                    "UPDATE shop.a SET n = 2",
                    "COMMIT");
            compare(received);
            execute(
                    "BEGIN",
                    "SAVEPOINT s",
                    "TRUNCATE shop.a, shop.b",
                    "ROLLBACK TO s",
                    "UPDATE shop.a SET n = 3",
                    "COMMIT");
            compare(received);
            execute(
                    "SET session_replication_role = replica",
                    "INSERT INTO shop.a VALUES (2)",
                    "RESET session_replication_role");
            compare(received);

            execute("INSERT INTO shop.f VALUES (8)", "INSERT INTO shop.c VALUES (8)", "TRUNCATE shop.c");
            compare(received);
            execute(
                    "BEGIN",
                    "INSERT INTO shop.c VALUES (9)",
                    "UPDATE shop.c SET v = 'gone'",
                    "TRUNCATE shop.c, shop.d",
                    "INSERT INTO shop.d VALUES (10)",
                    "DELETE FROM shop.c WHERE id = 1",
                    "COMMIT");
            compare(received);
            execute("BEGIN", "SAVEPOINT s", "TRUNCATE shop.d", "ROLLBACK TO s", "TRUNCATE shop.d, shop.c", "COMMIT");
            compare(received);
            execute(
                    "BEGIN",
                    "TRUNCATE shop.f",
                    "INSERT INTO shop.f VALUES (9)",
                    "TRUNCATE shop.f",
                    "INSERT INTO shop.f VALUES (10)",
                    "COMMIT");
            compare(received);

            String rows =
                    "(%s, 0.1 + 0.2, '2020-06-01 12:00+02', '1 day -2 hours', '\\x00ff', 'aä \"q\", (x)\\', 'shop.a')";
            execute("INSERT INTO shop.f VALUES " + rows.formatted("1"));
            // The settings last no longer than the statement: the driver refuses to go on with some.
            execute("DO $$ BEGIN PERFORM set_config(name, value, true) FROM (VALUES ('datestyle', 'SQL, DMY'),"
                    + " ('timezone', 'Asia/Tokyo'), ('intervalstyle', 'iso_8601'), ('bytea_output', 'escape'),"
                    + " ('extra_float_digits', '-10'), ('search_path', 'shop'), ('quote_all_identifiers', 'on')) AS s (name, value);"
                    + " INSERT INTO shop.f VALUES "
                    + rows.formatted("2").replace("2020-06-01 12:00+02", "01/06/2020 19:00") + ";"
                    + " UPDATE shop.f SET x = x || 'y'; END $$");
            execute("SET timezone = UTC", "SET extra_float_digits = 3");
            compare(received);
            assertNull(received.subscription.ended());
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void nobodyElseSpeaksForATableAndNobodyGainsRights(EngineBinaries release) throws Exception {
        start(release);
        execute(
                "CREATE ROLE mallory LOGIN",
                "CREATE ROLE owner LOGIN",
                "GRANT ALL ON SCHEMA shop TO owner, mallory",
                "GRANT SELECT, UPDATE ON shop.a TO mallory",
                "SET ROLE owner",
                "CREATE TABLE shop.own (id int PRIMARY KEY, v text)",
                "CREATE TABLE shop.spy (who text)",
                "GRANT INSERT ON shop.spy TO PUBLIC",
                // A cast from the row to text, which a careless function would execute with the rights of its owner.
                "CREATE FUNCTION shop.spied(shop.own) RETURNS text LANGUAGE plpgsql AS $$ BEGIN INSERT INTO shop.spy VALUES"
                        + " (current_user); RETURN 'forged'; END $$",
                "CREATE CAST (shop.own AS text) WITH FUNCTION shop.spied(shop.own) AS IMPLICIT",
                "RESET ROLE");
        Received received = receive("shop.a", "shop.own");
        execute("SET ROLE owner", "INSERT INTO shop.own VALUES (1, 'x')", "UPDATE shop.own SET v = 'y'", "RESET ROLE");
        compare(received);
        assertEquals("0", LogicalStreamTest.query(client, "SELECT count(*) FROM shop.spy"));

        String token = LogicalStreamTest.query(
                client,
                "SELECT encode(tgargs, 'escape') FROM pg_trigger WHERE tgrelid = 'shop.a'::regclass AND tgname = 'multimed_rows'");
        execute("SET ROLE mallory");
        for (String forged : List.of("12345", "0", "")) {
            execute("SELECT pg_logical_emit_message(true, 'multimed', '" + forged + " D "
                    + token.substring(0, token.length() - 4) + " 1 (0,1) (1,,,)')");
        }
        execute("SELECT pg_logical_emit_message(true, 'multimed', repeat('x', 100000000))");
        for (String attempt : List.of(
                "SELECT last_value FROM multimed_capture.secret",
                "SELECT pg_sequence_last_value('multimed_capture.secret')",
                "SELECT nextval('multimed_capture.secret')",
                "ALTER TABLE shop.a DISABLE TRIGGER multimed_rows",
                "CREATE TABLE shop.mine (id int); CREATE TRIGGER t AFTER INSERT ON shop.mine FOR EACH ROW EXECUTE FUNCTION"
                        + " multimed_capture.capture('x')")) {
            SQLException refused = assertThrows(SQLException.class, () -> execute(attempt));
            assertTrue(List.of("42501", "42P01").contains(refused.getSQLState()), () -> attempt + ": " + refused);
        }
        execute("UPDATE shop.a SET n = n + 1 WHERE id = 1", "RESET ROLE");
        compare(received);
        assertNull(received.subscription.ended());
    }

    @Test
    void writesSucceedInAnyEncodingThatIsCapturedAndADroppedDatabaseLeavesNothing() throws Exception {
        start(releases().get(0));
        execute(
                "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0",
                "CREATE DATABASE japanese ENCODING 'EUC_JP' LOCALE 'C' TEMPLATE template0");
        try (MasterWriteSets japanese = writeSets("japanese")) {
            EngineException refused = assertThrows(EngineException.class, () -> japanese.prepare(List.of("public.t")));
            assertTrue(refused.getMessage().contains("EUC_JP"), refused.getMessage());
        }
        try (MasterWriteSets ascii = writeSets("ascii")) {
            try (Connection own = new MasterDatabase(master.cluster().address(), "postgres", "ascii").connect()) {
                LogicalStreamTest.execute(own, "CREATE TABLE public.t (id int PRIMARY KEY, v text)");
                ascii.prepare(List.of("public.t"));
                LogicalStreamTest.execute(own, "INSERT INTO public.t VALUES (1, convert_from('\\xff', 'SQL_ASCII'))");
            }
            execute("DROP DATABASE ascii WITH (FORCE)");
            LogicalStreamTest.awaitNothingLeft(client);
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aTriggerThatWasAwayForAMomentIsNoticed(EngineBinaries release) throws Exception {
        start(release);
        receive("shop.a", "shop.b");
        long oid = Long.parseLong(LogicalStreamTest.query(client, "SELECT 'shop.a'::regclass::oid::bigint"));
        CatalogDigest before = CatalogDigest.read(client, List.of(oid));
        execute(
                "VACUUM (FREEZE) pg_trigger",
                "VACUUM FULL pg_trigger",
                "CREATE TRIGGER of_the_user AFTER INSERT ON shop.a" + " FOR EACH ROW EXECUTE FUNCTION shop.behind()",
                "DROP TRIGGER multimed_rows ON shop.b");
        assertEquals(List.of(), before.differences(CatalogDigest.read(client, List.of(oid))));
        execute(
                "BEGIN",
                "ALTER TABLE shop.a DISABLE TRIGGER ALL",
                "INSERT INTO shop.a VALUES (101)",
                "ALTER TABLE shop.a ENABLE TRIGGER ALL",
                "ALTER TABLE shop.a ENABLE ALWAYS TRIGGER multimed_rows",
                "ALTER TABLE shop.a ENABLE ALWAYS TRIGGER multimed_before",
                "ALTER TABLE shop.a ENABLE ALWAYS TRIGGER multimed_truncate",
                "COMMIT");
        assertEquals(List.of("pg_trigger shop.a"), before.differences(CatalogDigest.read(client, List.of(oid))));
    }

    /** The slot is away for a moment. */
    private boolean holdsNoLogButKeepsTriggers() throws SQLException {
        return "t"
                .equals(
                        LogicalStreamTest.query(
                                client,
                                "SELECT restart_lsn IS NULL AND"
                                        + " EXISTS (SELECT FROM pg_trigger WHERE tgname = 'multimed_rows') FROM pg_replication_slots"));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void interferenceEndsItAndNothingIsLeft(EngineBinaries release) throws Exception {
        start(release);
        try (Connection writer = master.connect()) {
            LogicalStreamTest.execute(writer, "BEGIN", "UPDATE shop.a SET n = 1 WHERE id = 1");
            String pid = LogicalStreamTest.query(writer, "SELECT pg_backend_pid()");
            EngineException late = assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.a")));
            assertTrue(late.getMessage().contains("process " + pid + " of postgres"), late.getMessage());
            LogicalStreamTest.execute(writer, "COMMIT", "BEGIN", "LOCK TABLE shop.a IN SHARE UPDATE EXCLUSIVE MODE");
            EngineException likewise = assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.a")));
            assertTrue(likewise.getMessage().contains("process " + pid + " of postgres"), likewise.getMessage());
            LogicalStreamTest.execute(writer, "COMMIT");
            LogicalStreamTest.awaitNothingLeft(client);
        }
        Received received = receive("shop.a");
        execute(
                "BEGIN",
                "UPDATE shop.a SET n = 2 WHERE id = 2",
                "CLUSTER shop.a USING a_pkey",
                "UPDATE shop.a SET n = 3" + " WHERE id = 2",
                "COMMIT");
        TestEngines.await("the end", () -> received.subscription.ended() != null);
        writeSets.leave(received.subscription);
        Received again = receive("shop.a");
        execute("UPDATE shop.a SET n = 4");
        compare(again);
        for (String accident : List.of("nextval('multimed_capture.secret')", "setval('multimed_capture.secret', 1)")) {
            assertThrows(SQLException.class, () -> execute("SELECT " + accident));
        }
        execute("UPDATE shop.a SET n = 5");
        compare(again);
        execute("SELECT setval('multimed_capture.secret', 9223372036854775807)");
        TestEngines.await("the end", () -> again.subscription.ended() != null);
        writeSets.leave(again.subscription);
        LogicalStreamTest.awaitNothingLeft(client);
        Received read = receive("shop.a");
        try (Connection reader = master.connect()) {
            LogicalStreamTest.execute(reader, "BEGIN", "SELECT count(*) FROM shop.a");
            writeSets.leave(read.subscription);
            TestEngines.await("the log is let go although the triggers stay", () -> holdsNoLogButKeepsTriggers());
        }
        LogicalStreamTest.awaitNothingLeft(client);

        Received twice = receive("shop.c");
        execute("BEGIN", "TRUNCATE shop.c", "TRUNCATE shop.c", "COMMIT");
        TestEngines.await("the end", () -> twice.subscription.ended() != null);
        writeSets.leave(twice.subscription);

        execute("CREATE ROLE somebody");
        LogicalStreamTest.awaitNothingLeft(client);
        execute("CREATE SCHEMA multimed_capture AUTHORIZATION somebody");
        EngineException foreign = assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.a")));
        assertTrue(foreign.getMessage().contains("belongs to somebody"), foreign.getMessage());
        execute("DROP SCHEMA multimed_capture");

        Path data = master.cluster().dataDirectory();
        receive("shop.a");
        assertTrue(MasterWriteSets.hasLeftTriggers(data));
        assertFalse(MasterWriteSets.hasLeftSlots(data));
        execute("BEGIN", "INSERT INTO shop.a VALUES (9000)", "PREPARE TRANSACTION 'p'");
        client.close();
        master.cluster().kill();
        writeSets.close();
        master.cluster().start(Duration.ofSeconds(60), reason -> {});
        client = master.connect();
        MasterWriteSets.dropLeft(master.cluster().address(), "postgres");
        assertTrue(MasterWriteSets.hasLeftTriggers(data));
        assertTrue(holdsNoLogButKeepsTriggers());
        execute("ROLLBACK PREPARED 'p'");
        MasterWriteSets.dropLeft(master.cluster().address(), "postgres");
        assertFalse(MasterWriteSets.hasLeftTriggers(data));
        LogicalStreamTest.awaitNothingLeft(client);
        assertEquals(
                "0", LogicalStreamTest.query(client, "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'multimed%'"));
    }
}
