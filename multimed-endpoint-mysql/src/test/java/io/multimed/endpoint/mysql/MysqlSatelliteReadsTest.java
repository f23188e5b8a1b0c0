package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.dispatch.Reason;
import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.mariadb.PlainMariaDb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads on a Satellite show what the Master would show, and everything else stays on the Master. */
@Tag("slow")
class MysqlSatelliteReadsTest {
    private static final int TRIES = 2000;

    private static ReplicatedMariaDb database;

    @BeforeAll
    static void start() throws Exception {
        database = new ReplicatedMariaDb();
        try (MysqlWire client = root()) {
            for (String sql : List.of(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40), at TIMESTAMP NULL)",
                    "INSERT INTO shop.item VALUES (1, 'one', '2020-01-01 00:00:00'), (2, 'two', NULL)",
                    "CREATE TABLE shop.counter (n INT)",
                    "INSERT INTO shop.counter VALUES (0)",
                    "CREATE VIEW shop.v AS SELECT id FROM shop.item",
                    "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                    "GRANT SELECT, CREATE TEMPORARY TABLES ON shop.* TO ann@'%'",
                    "CREATE USER bob@'%' IDENTIFIED BY 'secret'",
                    "GRANT USAGE ON *.* TO bob@'%'")) {
                done(client, sql);
            }
        }
        database.schemaChanges.incrementAndGet();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    @Test
    void valuesOfSequencesKeepNoReadsFromSatellites() throws Exception {
        try (MysqlWire client = root()) {
            // Each value is written, so that the Master tells of a change.
            done(client, "CREATE SEQUENCE shop.number NOCACHE");
            client.query("SELECT NEXT VALUE FOR shop.number");
            onSatellite(client, "SELECT name FROM shop.item WHERE id = 1 AND 7 = 7");
            assertTrue(
                    text(client.query("SELECT PREVIOUS VALUE FOR shop.number")).contains("1"));
            done(client, "DROP SEQUENCE shop.number");
        }
    }

    private static MysqlWire root() throws IOException {
        MysqlWire client = MysqlWire.connect(database.port());
        client.login("root", "", null);
        return client;
    }

    private static MysqlWire ann() throws IOException {
        MysqlWire client = MysqlWire.connect(database.port());
        client.login("ann", "secret", "shop");
        return client;
    }

    private static void done(MysqlWire client, String sql) throws IOException {
        List<String> reply = client.query(sql);
        assertTrue(reply.get(0).startsWith("1 \\00"), sql + ": " + reply);
    }

    private static long served() {
        return database.satellite.served();
    }

    /** Executes the read until the Satellite has executed it. @return its reply then */
    private static List<String> onSatellite(MysqlWire client, String sql) throws Exception {
        return database.onSatellite(() -> client.query(sql));
    }

    private static void assertOnMaster(MysqlWire client, String sql) throws Exception {
        long before = served();
        for (int i = 0; i < 20; i++) {
            client.query(sql);
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertEquals(before, served(), sql);
    }

    /** Waits until the engine executes the statement. */
    private static void awaitStatement(PlainMariaDb engine, String sql) throws Exception {
        try (MysqlWire direct = ReplicatedMariaDb.root(engine)) {
            for (int i = 0; i < TRIES; i++) {
                if (text(direct.query("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO = '" + sql + "'"))
                        .contains("\n4 \\011\n")) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        throw new AssertionError("not executed: " + sql);
    }

    private static String text(List<String> reply) {
        return String.join("\n", reply);
    }

    @Test
    void aReadOfTheSatelliteIsThatOfTheMaster() throws Exception {
        String sql = "SELECT id, name, at FROM item ORDER BY id";
        try (MysqlWire client = ann();
                MysqlWire direct = MysqlWire.connect(database.masterEngine.port())) {
            direct.login("ann", "secret", "shop");
            assertEquals(text(direct.query(sql)), text(onSatellite(client, sql)));
        }
    }

    @Test
    void aReadShowsEachCommitThatWasAcknowledgedBefore() throws Exception {
        try (MysqlWire writer = root();
                MysqlWire reader = ann();
                MysqlWire direct = ReplicatedMariaDb.root(database.masterEngine)) {
            onSatellite(reader, "SELECT n FROM counter");
            long before = served();
            for (int n = 1; n <= 300; n++) {
                (n % 2 == 0 ? writer : direct).query("UPDATE shop.counter SET n = " + n);
                String reply = text(reader.query("SELECT n FROM counter"));
                assertTrue(reply.contains("\n4 \\0" + String.valueOf(n).length() + n), n + ": " + reply);
            }
            assertTrue(served() > before + 200, "reads on the Satellite: " + (served() - before));
        }
    }

    @Test
    void settingsFollow() throws Exception {
        String sql =
                "SELECT FROM_UNIXTIME(0), CAST(at AS CHAR), HEX(CONCAT('\u00e4', name)), 'a' = 'A' FROM item WHERE id = 1";
        try (MysqlWire client = ann();
                MysqlWire direct = MysqlWire.connect(database.masterEngine.port())) {
            direct.login("ann", "secret", "shop");
            for (String setting : List.of(
                    "SET time_zone = '+07:00'",
                    "SET NAMES latin1",
                    "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
                    "SET collation_connection = 'utf8mb4_general_ci'",
                    "SET SESSION time_zone = '-03:00', group_concat_max_len = 5",
                    "USE shop")) {
                done(client, setting);
                done(direct, setting);
                assertEquals(text(direct.query(sql)), text(onSatellite(client, sql)), setting);
            }
            done(client, "SET sql_mode = 'ANSI_QUOTES'");
            done(direct, "SET sql_mode = 'ANSI_QUOTES'");
            assertEquals(
                    text(direct.query("SELECT \"name\" FROM item WHERE id = 2")),
                    text(onSatellite(client, "SELECT \"name\" FROM item WHERE id = 2")));
        }
    }

    @Test
    void aDatabaseChosenByACommandFollows() throws Exception {
        try (MysqlWire client = root();
                MysqlWire direct = ReplicatedMariaDb.root(database.masterEngine)) {
            for (String name : List.of("mysql", "shop")) {
                for (MysqlWire each : List.of(client, direct)) {
                    each.exchange(0x02, name.getBytes(StandardCharsets.UTF_8), true);
                }
                String sql = "SELECT name FROM shop.item ORDER BY id";
                assertEquals(text(direct.query(sql)), text(onSatellite(client, sql)), name);
            }
            assertEquals(
                    text(direct.query("SELECT name FROM item ORDER BY id")),
                    text(onSatellite(client, "SELECT name FROM item ORDER BY id")));
        }
    }

    @Test
    void settingsFollowAClientThatChoosesWhatItIsTold() throws Exception {
        String sql =
                "SELECT FROM_UNIXTIME(0), HEX(CONCAT('\u00e4', name)), @@autocommit IS NULL FROM item WHERE id = 1";
        String plain = "SELECT FROM_UNIXTIME(0), HEX(CONCAT('\u00e4', name)) FROM item WHERE id = 1";
        try (MysqlWire client = ann();
                MysqlWire direct = MysqlWire.connect(database.masterEngine.port())) {
            direct.login("ann", "secret", "shop");
            for (List<String> settings : List.of(
                    List.of(
                            "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES'), session_track_system_variables ="
                                    + " CONCAT(@@global.session_track_system_variables, ',transaction_isolation'), NAMES latin1",
                            "SET time_zone = '+02:00'"),
                    List.of("SET session_track_system_variables = '', time_zone = '+03:00'"),
                    List.of("SET session_track_schema = 0, session_track_state_change = 0", "SET time_zone = '+04:00'"),
                    List.of(
                            "SET session_track_system_variables = 'autocommit', NAMES utf8mb4",
                            "SET time_zone = '+05:00'"))) {
                for (String setting : settings) {
                    done(client, setting);
                    done(direct, setting);
                }
                assertEquals(text(direct.query(plain)), text(onSatellite(client, plain)), settings.toString());
                assertEquals(text(direct.query(sql)), text(client.query(sql)), settings.toString());
            }
            done(client, "CREATE TEMPORARY TABLE item (id INT, name VARCHAR(40))");
            assertOnMaster(client, plain);
        }
    }

    @Test
    void theSessionsOwnStateIsTheMasters() throws Exception {
        try (MysqlWire client = ann()) {
            onSatellite(client, "SELECT name FROM item WHERE id = 1");
            done(client, "SET @a = 5");
            assertTrue(text(client.query("SELECT @a")).contains("5"));
            onSatellite(client, "SELECT name FROM item WHERE id = 1");
            done(client, "CREATE TEMPORARY TABLE item (name VARCHAR(40))");
            done(client, "INSERT INTO item VALUES ('mine')");
            assertTrue(text(client.query("SELECT name FROM item")).contains("mine"));
            assertOnMaster(client, "SELECT name FROM item");
            client.exchange(0x1f, new byte[0], true);
            client.query("USE shop");
            assertTrue(text(onSatellite(client, "SELECT name FROM item WHERE id = 1"))
                    .contains("one"));
        }
    }

    @Test
    void aTransactionSeesItself() throws Exception {
        try (MysqlWire client = root()) {
            done(client, "USE shop");
            onSatellite(client, "SELECT name FROM item WHERE id = 1");
            done(client, "BEGIN");
            done(client, "INSERT INTO item VALUES (50, 'fifty', NULL)");
            assertTrue(text(client.query("SELECT name FROM item WHERE id = 50")).contains("fifty"));
            done(client, "ROLLBACK");
            done(client, "SET TRANSACTION READ ONLY");
            client.query("SELECT name FROM item WHERE id = 1");
            done(client, "INSERT INTO item VALUES (51, 'x', NULL)");
            done(client, "DELETE FROM item WHERE id = 51");
            // An error does not hide that the transaction goes on.
            done(client, "BEGIN");
            done(client, "INSERT INTO item VALUES (52, 'fiftytwo', NULL)");
            client.query("INSERT INTO nosuch VALUES (1)");
            assertTrue(text(client.query("SELECT name FROM item WHERE id = 52")).contains("fiftytwo"));
            done(client, "ROLLBACK");
        }
    }

    @Test
    void questionsAboutTheLastReadAreAnswered() throws Exception {
        try (MysqlWire client = ann();
                MysqlWire direct = MysqlWire.connect(database.masterEngine.port())) {
            direct.login("ann", "secret", "shop");
            for (List<String> pair : List.of(
                    List.of("SELECT SQL_CALC_FOUND_ROWS id FROM item LIMIT 1", "SELECT FOUND_ROWS()"),
                    List.of("SELECT id / 0 FROM item ORDER BY id", "SHOW WARNINGS"),
                    List.of("SELECT id FROM item", "SELECT ROW_COUNT()"))) {
                assertEquals(text(direct.query(pair.get(0))), text(onSatellite(client, pair.get(0))));
                assertEquals(text(direct.query(pair.get(1))), text(client.query(pair.get(1))), pair.get(1));
            }
        }
    }

    @Test
    void readsThatTheSatelliteMightNotAnswerAlikeGoToTheMaster() throws Exception {
        try (MysqlWire client = ann()) {
            onSatellite(client, "SELECT id FROM item");
            for (String sql : List.of(
                    "SELECT id FROM v",
                    "SELECT CONNECTION_ID()",
                    "SELECT @@server_id",
                    "SELECT * FROM item FOR UPDATE",
                    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'")) {
                assertOnMaster(client, sql);
            }
        }
    }

    private static long placedFor(Reason reason) {
        return database.endpoint.counters().stream()
                .mapToLong(counters -> counters.placedFor(reason))
                .sum();
    }

    private static ConnectionCounts connections(String node) {
        return database.endpoint.connections().stream()
                .filter(counts -> counts.node().name().equals(node))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachTransactionIsCountedByTheReasonForItsPlacement() throws Exception {
        try (MysqlWire client = ann()) {
            onSatellite(client, "SELECT id FROM item");
            for (Map.Entry<Reason, List<String>> expected : Map.of(
                            Reason.FRESH_SATELLITE, List.of("SELECT id FROM item"),
                            Reason.UNCLASSIFIED, List.of("SELECT id FROM v"),
                            Reason.SESSION_CONTROL, List.of("SHOW TABLES"),
                            Reason.UPDATE, List.of("BEGIN", "SELECT id FROM item", "SELECT id FROM v", "COMMIT"))
                    .entrySet()) {
                long before = placedFor(expected.getKey());
                long servedBefore = database.master.served();
                for (String sql : expected.getValue()) {
                    client.query(sql);
                }
                assertEquals(before + 1, placedFor(expected.getKey()), expected.toString());
                assertEquals(
                        servedBefore + (expected.getKey() == Reason.FRESH_SATELLITE ? 0 : 1),
                        database.master.served(),
                        expected.toString());
            }
            long readsOnly = placedFor(Reason.FRESH_SATELLITE);
            for (String sql :
                    List.of("START TRANSACTION READ ONLY", "SELECT id FROM item", "SELECT name FROM item", "COMMIT")) {
                client.query(sql);
            }
            assertEquals(readsOnly + 1, placedFor(Reason.FRESH_SATELLITE));
            done(client, "BEGIN");
            assertTrue(database.master.active() > 0);
            assertTrue(connections("master").open() > 0);
            assertTrue(connections("master").bound() > 0, "a session in a transaction keeps its connection");
            assertTrue(connections("satellite-1").open() > 0);
            done(client, "ROLLBACK");
        }
    }

    @Test
    void errorsAreTheMasters() throws Exception {
        try (MysqlWire client = MysqlWire.connect(database.port())) {
            client.login("bob", "secret", null);
            for (int i = 0; i < 20; i++) {
                String reply = text(client.query("SELECT id FROM shop.item"));
                assertTrue(reply.contains("SELECT command denied to user 'bob'@'localhost'"), reply);
            }
        }
    }

    @Test
    void aSatelliteThatCannotAnswerIsNotNoticed() throws Exception {
        try (MysqlWire client = root();
                MysqlWire satellite = ReplicatedMariaDb.root(database.satelliteEngine)) {
            done(client, "CREATE TABLE shop.lost (id INT PRIMARY KEY)");
            done(client, "INSERT INTO shop.lost VALUES (4)");
            database.schemaChanges.incrementAndGet();
            onSatellite(client, "SELECT id FROM shop.lost");
            done(satellite, "SET sql_log_bin = 0");
            done(satellite, "DROP TABLE shop.lost");
            for (int i = 0; i < 20; i++) {
                List<String> reply = client.query("SELECT id FROM shop.lost");
                assertTrue(reply.get(3).endsWith("\\014"), reply.toString());
            }
            done(satellite, "CREATE TABLE shop.lost (id INT PRIMARY KEY)");
        }
    }

    @Test
    void aReadOnTheSatelliteIsKilledByTheClientsNumber() throws Exception {
        try (MysqlWire client = root();
                MysqlWire killer = root()) {
            done(client, "USE shop");
            onSatellite(client, "SELECT COUNT(*) FROM item");
            String number = text(client.query("SELECT CONNECTION_ID()"))
                    .replaceAll("(?s).*\n4 \\\\[0-9a-f]{2}(\\d+)\n.*", "$1");
            String heavy =
                    "SELECT COUNT(*) FROM item a, item b, item c, item d, item e, item f, item g, item h, item i,"
                            + " item j, item k, item l, item m, item n, item o, item p, item q, item r, item s, item t, item u,"
                            + " item v, item w, item x, item y, item z, item aa, item ab, item ac, item ad, item ae, item af";
            onSatellite(client, heavy + " WHERE 1 = 0");
            client.command(3, (heavy + " WHERE 1 = 1").getBytes(StandardCharsets.UTF_8));
            awaitStatement(database.satelliteEngine, heavy + " WHERE 1 = 1");
            done(killer, "KILL QUERY " + number);
            String reply;
            do {
                reply = client.receive().toString();
            } while (!reply.contains("\\ff") && !reply.contains("\\fe"));
            reply = reply.contains("\\fe") ? client.receive().toString() : reply;
            assertTrue(reply.contains("interrupted"), reply);
        }
    }
}
