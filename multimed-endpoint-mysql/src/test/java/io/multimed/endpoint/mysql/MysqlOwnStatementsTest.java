package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.testkit.mariadb.MysqlWire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statements for Multimed itself, and the freshness that a session chooses by them. */
@Tag("slow")
class MysqlOwnStatementsTest {
    private static final String READ = "SELECT n FROM shop.counter";
    private static final String UNSET = "none yet";

    private static ReplicatedMariaDb database;

    @BeforeAll
    static void start() throws Exception {
        database = new ReplicatedMariaDb(
                MysqlEndpointOptions.defaults(new InetSocketAddress(0)).connections(), Duration.ofMillis(200));
        try (MysqlWire client = root()) {
            for (String sql : List.of(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.counter (n INT)",
                    "INSERT INTO shop.counter VALUES (0)")) {
                done(client, sql);
            }
        }
        database.schemaChanges.incrementAndGet();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    private static MysqlWire root() throws IOException {
        MysqlWire client = MysqlWire.connect(database.port());
        client.login("root", "", null);
        return client;
    }

    private static void done(MysqlWire client, String sql) throws IOException {
        List<String> reply = client.query(sql);
        assertTrue(reply.get(0).startsWith("1 \\00"), sql + ": " + reply);
    }

    /** Returns the only value of a reply in text form, with EOF packets. */
    private static String value(MysqlWire client, String sql) throws IOException {
        List<String> reply = client.query(sql);
        assertEquals(5, reply.size(), sql + ": " + reply);
        assertEquals("1 \\01", reply.get(0));
        return reply.get(3).replaceFirst("^4 (\\\\[0-9a-f]{2}|.)", "");
    }

    private static void assertError(int code, String words, List<String> reply) {
        String head = "1 \\ff%s%s#".formatted(shown(code & 0xff), shown(code >> 8));
        assertTrue(reply.size() == 1 && reply.get(0).startsWith(head), reply.toString());
        assertTrue(reply.get(0).contains(words), reply.toString());
    }

    private static String shown(int b) {
        return b >= ' ' && b < 0x7f && b != '\\' ? String.valueOf((char) b) : "\\%02x".formatted(b);
    }

    @Test
    void aSessionIsToldWhereItsLastTransactionRan() throws Exception {
        try (MysqlWire client = root()) {
            assertEquals(UNSET, value(client, "SHOW multimed.route"));
            database.onSatellite(() -> client.query(READ));
            assertEquals("satellite-1: read on a fresh satellite", value(client, "/* shop */ show Multimed.Route;"));
            done(client, "UPDATE shop.counter SET n = n");
            assertEquals("master: may write", value(client, "SHOW multimed.route"));
            client.query("SELECT * FROM information_schema.SCHEMATA");
            assertEquals("master: not known to be read-only", value(client, "SHOW multimed.route"));
            done(client, "SET @a = 1");
            done(client, "CREATE TEMPORARY TABLE shop.mine (n INT)");
            client.query(READ);
            assertTrue(value(client, "SHOW multimed.route").startsWith("master: session pinned"));
        }
    }

    @Test
    void aTransactionIsNotTouched() throws Exception {
        try (MysqlWire client = root();
                MysqlWire direct = ReplicatedMariaDb.root(database.masterEngine)) {
            done(client, "CREATE TABLE IF NOT EXISTS shop.once (id INT PRIMARY KEY)");
            done(client, "BEGIN");
            done(client, "INSERT INTO shop.once VALUES (1)");
            List<String> reply = client.query("SHOW multimed.freshness");
            assertEquals("5 \\fe\\00\\00\\03\\00", reply.get(4), "in a transaction, with autocommit");
            done(client, "SET multimed.freshness = 'strong'");
            done(client, "ROLLBACK");
            assertEquals("0", value(direct, "SELECT COUNT(*) FROM shop.once"));
        }
    }

    @Test
    void tablesHaveColumnsOfTheirTypesInEitherForm() throws Exception {
        try (MysqlWire wire = root();
                PreparedClient client = new PreparedClient(wire)) {
            List<String> text = wire.query("SHOW MULTIMED VERSION");
            assertEquals("1 \\02", text.get(0));
            assertEquals("5 \\15Multimed of the tests\\0217", text.get(4));
            List<String> definitions = client.prepare("v", "SHOW MULTIMED VERSION");
            assertEquals("columns 2, parameters 0", definitions.get(definitions.size() - 1));
            assertEquals(text.subList(1, 4), definitions.subList(0, 3));
            for (String name : List.of("v", PreparedClient.LAST)) {
                List<String> binary = client.execute(name);
                assertEquals(text.subList(0, 4), binary.subList(0, 4));
                assertEquals("5 \\00\\00\\15Multimed of the tests\\11\\00\\00\\00\\00\\00\\00\\00", binary.get(4));
                assertEquals(text.get(5), binary.get(5));
            }
            assertEquals(List.of("1 \\00\\00\\00\\02\\00\\00\\00"), client.reset("v"));
            assertError(1421, "no open cursor", client.fetch("v", 1));
            client.closeStatement("v");
            assertTrue(client.execute("v").get(0).contains("Unknown prepared statement handler"));
            for (String table : List.of("ROUTES", "WAITS", "STATS", "POOLS")) {
                assertTrue(wire.query("SHOW MULTIMED " + table).size() > 3, table);
            }
        }
    }

    @Test
    void aPreparedStatementOfTheMasterComesAfterOneOfMultimed() throws Exception {
        try (PreparedClient client = new PreparedClient(root())) {
            client.prepare("set", "SET multimed.freshness = 'session'");
            assertEquals(1, client.execute("set").size());
            client.prepare("one", "SELECT 1 + 1");
            String row = client.execute(PreparedClient.LAST).get(3);
            assertTrue(row.startsWith("4 \\00\\00\\02"), row);
            assertEquals("session", value(client.wire, "SHOW multimed.freshness"));
        }
    }

    @Test
    void mistakesAreToldWithWhatIsAllowed() throws Exception {
        try (MysqlWire client = root()) {
            assertError(1193, "multimed.freshness", client.query("SHOW multimed.freshnes"));
            assertError(1193, "multimed.freshness", client.query("SET multimed.freshnes = 'strong'"));
            assertError(1231, "strong, session or eventual", client.query("SET multimed.freshness = 'weak'"));
            assertError(1231, "ms, s or min", client.query("SET multimed.max_lag = 'long'"));
            assertError(1231, "anywhere", client.query("SET multimed.reads = 'nowhere'"));
            assertError(1238, "read only", client.query("SET multimed.route = 'master'"));
            assertError(1228, "SESSION variable", client.query("SET GLOBAL multimed.freshness = 'session'"));
            assertError(1064, "SHOW MULTIMED NODES", client.query("SHOW MULTIMED NONSENSE"));
            assertError(1064, "alone", client.query("SET multimed.freshness = 'session'; SELECT 1"));
            assertEquals("strong", value(client, "SHOW multimed.freshness"));
        }
    }

    @Test
    void choicesEndWithTheSession() throws Exception {
        try (MysqlWire client = root()) {
            done(client, "SET multimed.freshness = 'eventual'");
            done(client, "SET multimed.max_lag = '250ms'");
            done(client, "SET multimed.reads = 'master'");
            assertEquals("eventual", value(client, "SHOW multimed.freshness"));
            assertEquals("250ms", value(client, "SHOW multimed.max_lag"));
            assertEquals("master", value(client, "SHOW multimed.reads"));
            client.exchange(0x1f, new byte[0], true);
            assertEquals("strong", value(client, "SHOW multimed.freshness"));
            assertEquals("1000ms", value(client, "SHOW multimed.max_lag"));
            assertEquals("anywhere", value(client, "SHOW multimed.reads"));
        }
    }

    @Test
    void readsCanBeKeptOnTheMaster() throws Exception {
        try (MysqlWire client = root()) {
            database.onSatellite(() -> client.query(READ));
            done(client, "SET multimed.reads = 'master'");
            for (List<String> transaction :
                    List.of(List.of(READ), List.of("START TRANSACTION READ ONLY", READ, "COMMIT"))) {
                long before = database.satellite.served();
                for (String sql : transaction) {
                    client.query(sql);
                }
                assertEquals(before, database.satellite.served());
                assertEquals("master: chosen by the session (multimed.reads)", value(client, "SHOW multimed.route"));
            }
            done(client, "SET multimed.reads = DEFAULT");
            database.onSatellite(() -> client.query(READ));
        }
    }

    @Test
    void aWeakerFreshnessShowsLessAndStrongShowsAll() throws Exception {
        try (MysqlWire writer = root();
                MysqlWire strong = root();
                MysqlWire session = root();
                MysqlWire eventual = root();
                MysqlWire replica = ReplicatedMariaDb.root(database.satelliteEngine)) {
            for (MysqlWire reader : List.of(strong, session, eventual)) {
                database.onSatellite(() -> reader.query(READ));
            }
            String old = value(strong, READ);
            done(replica, "STOP SLAVE SQL_THREAD");
            try {
                done(session, "SET multimed.freshness = 'session'");
                done(eventual, "SET multimed.freshness = 'eventual'");
                done(eventual, "SET multimed.max_lag = '10min'");
                done(writer, "UPDATE shop.counter SET n = 41");
                assertEquals("41", value(strong, READ));
                assertTrue(value(strong, "SHOW multimed.route").startsWith("master: satellites behind"));
                // Longer than the Master may hear nothing of a session.
                TimeUnit.MILLISECONDS.sleep(600);
                assertEquals(old, value(session, READ));
                assertEquals("satellite-1: read on a fresh satellite", value(session, "SHOW multimed.route"));
                assertEquals(old, value(eventual, READ));
                assertEquals("satellite-1: read on a fresh satellite", value(eventual, "SHOW multimed.route"));
                done(eventual, "SET multimed.max_lag = '1ms'");
                assertEquals("41", value(eventual, READ));
                done(session, "UPDATE shop.counter SET n = 42");
                assertEquals("42", value(session, READ), "a session sees its own commits");
                assertEquals("42", value(strong, READ));
            } finally {
                done(replica, "START SLAVE SQL_THREAD");
            }
            database.onSatellite(() -> session.query(READ));
            assertEquals("42", value(session, READ));
        }
    }
}
