package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.mysql.PreparedClient.Value;
import io.multimed.testkit.mariadb.MysqlWire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statements whose client has got another connection to the Master, or whose preparation fails, do nothing that the client has not asked for. */
@Tag("slow")
class MysqlMovedStatementsTest {
    private static final int CONNECTIONS = 4;
    /** Clients that take all connections, of each event loop. */
    private static final int OTHERS = 12;

    private static final int BLOB = 0xfc;
    private static final int TEXT = 0xfd;
    private static final int LONGEST_PACKET = 0xff_ffff;
    private static final int EXECUTE = 0x17;
    private static final Value SENT_AHEAD = new Value(BLOB, new byte[0]);
    private static final String MUCH = "x".repeat(50_000);
    private static final String DONE = "1 \\00";

    private static ReplicatedMariaDb database;
    private static MysqlWire root;

    @BeforeAll
    static void start() throws Exception {
        database = new ReplicatedMariaDb(CONNECTIONS);
        root = ReplicatedMariaDb.root(database.masterEngine);
        for (String sql : List.of(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.base (id INT PRIMARY KEY, one VARCHAR(20), two VARCHAR(20))",
                "INSERT INTO shop.base VALUES (1, 'first', 'second')",
                "CREATE VIEW shop.v AS SELECT id FROM shop.base",
                "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                "GRANT ALL ON *.* TO ann@'%'")) {
            asRoot(sql);
        }
        database.schemaChanges.incrementAndGet();
    }

    @AfterAll
    static void stop() throws IOException {
        root.close();
        database.close();
    }

    @BeforeEach
    void createTable() throws IOException {
        asRoot("CREATE OR REPLACE TABLE shop.own (id INT PRIMARY KEY AUTO_INCREMENT, t LONGTEXT)");
    }

    private static void asRoot(String sql) throws IOException {
        List<String> reply = root.query(sql);
        assertTrue(reply.get(0).startsWith(DONE), sql + ": " + reply);
    }

    private static PreparedClient ann(int port) throws IOException {
        PreparedClient client = PreparedClient.connect(port, MysqlWire.PLAIN, "ann", "secret", "shop");
        client.wire.query("SET NAMES utf8mb4");
        return client;
    }

    private static PreparedClient ann() throws IOException {
        return ann(database.port());
    }

    private static PreparedClient direct() throws IOException {
        return ann(database.masterEngine.port());
    }

    /** Has idle clients give up their connections to the Master. */
    private static void takeConnections() throws IOException {
        List<PreparedClient> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            PreparedClient other = ann();
            others.add(other);
            other.wire.query("SELECT id FROM v");
        }
        for (PreparedClient other : others) {
            other.close();
        }
    }

    private static void prepare(PreparedClient client, String name, String sql) throws IOException {
        String reply = text(client.prepare(name, sql));
        assertTrue(reply.contains("columns"), sql + ": " + reply);
    }

    private static String text(List<String> reply) {
        return String.join("\n", reply);
    }

    private static void assertDone(List<String> reply) {
        assertTrue(reply.get(0).startsWith(DONE), text(reply));
    }

    private static void assertFails(int code, List<String> reply) {
        String bytes = "1 \\ff" + escaped(code & 0xff) + escaped(code >> 8);
        assertTrue(reply.get(0).startsWith(bytes), code + ": " + text(reply));
    }

    private static String escaped(int value) {
        return value >= ' ' && value < 0x7f && value != '\\'
                ? String.valueOf((char) value)
                : String.format("\\%02x", value);
    }

    private static long rows() throws IOException {
        String reply = text(root.query("SELECT CONCAT('rows=', COUNT(*), ';') FROM shop.own"));
        return Long.parseLong(reply.replaceAll("(?s).*rows=(\\d+);.*", "$1"));
    }

    /** What one client does. */
    private interface Conversation {
        List<String> with(PreparedClient client) throws IOException;
    }

    /** Asserts that a conversation ends with the same reply as on a connection to the Master. */
    private static void assertAlike(Conversation conversation) throws IOException {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            assertEquals(text(conversation.with(direct)), text(conversation.with(client)));
        }
    }

    @Test
    void anExecutionBehindLargeParametersTakesPlaceOnce() throws Exception {
        try (PreparedClient client = ann()) {
            prepare(client, "s", "INSERT INTO own (t) VALUES (?)");
            assertDone(client.execute("s", Value.text(TEXT, "a")));
            takeConnections();
            client.longData("s", 0, MUCH);
            client.longData("s", 0, MUCH);
            assertDone(client.execute("s", false, true, List.of(SENT_AHEAD)));
            assertEquals(2, rows());
        }
    }

    private static byte[] largeExecution(PreparedClient client, String name, boolean bringsTypes) {
        // The value is as long as it takes to fill one packet, behind which there is an empty one.
        byte[] operand = new byte[LONGEST_PACKET - 1];
        Arrays.fill(operand, (byte) 'x');
        byte[] head = client.execution(name, bringsTypes);
        System.arraycopy(head, 0, operand, 0, head.length);
        int length = operand.length - head.length - 4;
        int at = head.length;
        operand[at] = (byte) 0xfd;
        operand[at + 1] = (byte) length;
        operand[at + 2] = (byte) (length >> 8);
        operand[at + 3] = (byte) (length >> 16);
        return operand;
    }

    @Test
    void anExecutionInSeveralPacketsTakesPlaceOnce() throws Exception {
        for (boolean bringsTypes : new boolean[] {true, false}) {
            createTable();
            try (PreparedClient client = ann()) {
                prepare(client, "s", "INSERT INTO own (t) VALUES (LENGTH(?))");
                assertDone(client.execute("s", Value.text(TEXT, "a")));
                takeConnections();
                client.wire.command(EXECUTE, largeExecution(client, "s", bringsTypes));
                client.wire.send(1, new byte[0]);
                assertTrue(client.wire.receive().toString().contains("\\00"));
                assertEquals(2, rows());
                assertDone(client.wire.query("DO 1"));
            }
        }
    }

    @Test
    void theRestOfARefusedCommandIsNoCommand() throws Exception {
        try (PreparedClient client = ann()) {
            prepare(client, "s", "INSERT INTO own (t) VALUES (LENGTH(?))");
            takeConnections();
            asRoot("DROP TABLE shop.own");
            client.wire.command(EXECUTE, largeExecution(client, "s", true));
            List<String> reply = client.wire.receiveAll();
            assertFails(1146, reply);
            assertEquals("closed", reply.get(1));
        }
    }

    @Test
    void aPreparationThatIsRefusedLeavesNoLastStatement() throws Exception {
        try (PreparedClient client = ann()) {
            prepare(client, "s", "INSERT INTO own (t) VALUES ('last')");
            asRoot("SET GLOBAL max_prepared_stmt_count = 1");
            try {
                assertFails(1461, client.prepare("t", "SELECT 1"));
                assertFails(1243, client.execute(PreparedClient.LAST));
                assertEquals(0, rows());
            } finally {
                asRoot("SET GLOBAL max_prepared_stmt_count = DEFAULT");
            }
            prepare(client, "route", "SHOW multimed.route");
            client.closeStatement("route");
            assertFails(1243, client.execute(PreparedClient.LAST));
            assertDone(client.execute("s"));
            assertEquals(1, rows());
        }
    }

    @Test
    void aStatementThatASatelliteCannotPrepareIsNoOther() throws Exception {
        try (PreparedClient client = ann();
                MysqlWire satellite = ReplicatedMariaDb.root(database.satelliteEngine)) {
            for (String kind : List.of("", "SQL_CALC_FOUND_ROWS ")) {
                prepare(client, "one", "SELECT " + kind + "one FROM base WHERE id = ?");
                database.onSatellite(() -> client.execute("one", Value.number(1)));
                satellite.query("SET GLOBAL max_prepared_stmt_count = 0");
                prepare(client, "two", "SELECT " + kind + "two FROM base WHERE id = ?");
                for (int i = 0; i < 20; i++) {
                    String reply = text(client.execute("two", Value.number(1)));
                    assertTrue(reply.contains("second") && !reply.contains("first"), reply);
                    Thread.sleep(1);
                }
                satellite.query("SET GLOBAL max_prepared_stmt_count = DEFAULT");
            }
        }
    }

    @Test
    void parametersThatWereLostAreNotReplaced() throws Exception {
        try (PreparedClient client = ann()) {
            prepare(client, "s", "INSERT INTO own (t) VALUES (?)");
            assertDone(client.execute("s", Value.text(TEXT, "a")));
            takeConnections();
            asRoot("DROP TABLE shop.own");
            client.longData("s", 0, MUCH);
            client.longData("s", 0, MUCH);
            createTable();
            assertFails(1146, client.execute("s", false, true, List.of(SENT_AHEAD)));
            assertEquals(0, rows());
            assertDone(client.execute("s", Value.text(TEXT, "b")));
            assertEquals(1, rows());
        }
    }

    @Test
    void settingsOfAPreparedStatementStay() throws Exception {
        assertAlike(each -> {
            createTable();
            prepare(each, "s", "INSERT INTO own (t) VALUES ('a' || 'b')");
            prepare(each, "set", "SET sql_mode = 'PIPES_AS_CONCAT'");
            takeConnections();
            assertDone(each.execute("set"));
            assertDone(each.execute("s"));
            return each.wire.query("SELECT @@sql_mode, (SELECT t FROM own LIMIT 1)");
        });
    }

    @Test
    void settingsAreThePresentOnesAfterAPreparationWithOthers() throws Exception {
        assertAlike(each -> {
            createTable();
            prepare(each, "s", "INSERT INTO own (t) VALUES ('a' || 'b')");
            asRoot("DROP TABLE shop.own");
            takeConnections();
            assertDone(each.wire.query("SET sql_mode = 'PIPES_AS_CONCAT'"));
            takeConnections();
            assertDone(each.wire.query("SET sql_mode = 'ANSI_QUOTES'"));
            createTable();
            each.execute("s");
            return each.wire.query("SELECT @@sql_mode, (SELECT t FROM own LIMIT 1)");
        });
    }

    @Test
    void aChoiceForOneTransactionIsNotTakenBack() throws Exception {
        assertAlike(each -> {
            prepare(each, "s", "INSERT INTO own (t) VALUES (?)");
            // Its settings become known.
            takeConnections();
            assertDone(each.wire.query("SET sql_mode = 'ANSI_QUOTES'"));
            takeConnections();
            assertDone(each.wire.query("SET TRANSACTION READ ONLY"));
            return each.execute("s", Value.text(TEXT, "a"));
        });
        assertEquals(0, rows());
    }

    @Test
    void aStatementWhoseDatabaseHasGoneEndsNoSession() throws Exception {
        try (PreparedClient client = ann()) {
            asRoot("CREATE DATABASE gone");
            asRoot("CREATE TABLE gone.t (id INT PRIMARY KEY)");
            client.wire.query("USE gone");
            prepare(client, "s", "INSERT INTO t VALUES (?)");
            client.wire.query("USE shop");
            takeConnections();
            asRoot("DROP DATABASE gone");
            assertFails(1049, client.execute("s", Value.number(1)));
            assertDone(client.wire.query("DO 1"));
            assertFalse(text(client.wire.query("SELECT DATABASE()")).contains("gone"));
        }
    }
}
