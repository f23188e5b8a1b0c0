package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.mariadb.PlainMariaDb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of MariaDB and those of Multimed in front of it, compared one by one. */
@Tag("slow")
class MysqlConversationsTest {
    private static final int SEND_LONG_DATA = 0x18;
    private static final int CLOSE = 0x19;

    private static PlainMariaDb plain;
    private static FrontedMariaDb fronted;

    @BeforeAll
    static void start() throws Exception {
        plain = PlainMariaDb.start();
        fronted = new FrontedMariaDb();
        for (int port : ports()) {
            try (MysqlWire root = MysqlWire.connect(port)) {
                root.login("root", "", null);
                for (String sql : List.of(
                        "CREATE DATABASE shop",
                        "CREATE TABLE shop.item (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40), price DECIMAL(8,2))",
                        "INSERT INTO shop.item (name, price) VALUES ('one', 1.00), ('two', 2.50), (NULL, NULL)",
                        "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                        "CREATE USER ann@'10.0.0.1' IDENTIFIED BY 'other'",
                        "GRANT ALL ON shop.* TO ann@'%'",
                        "CREATE USER empty@localhost",
                        "CREATE USER locked@'%' IDENTIFIED BY 'secret' ACCOUNT LOCK")) {
                    assertTrue(root.query(sql).get(0).startsWith("1 \\00"), sql);
                }
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        plain.close();
        fronted.close();
    }

    private static int[] ports() {
        return new int[] {plain.port(), fronted.port()};
    }

    /** Executes a conversation with both. */
    private interface Conversation {
        List<String> with(MysqlWire client) throws IOException;
    }

    /** Returns the text of the last packet of a login, without the proof that the server knows the password. */
    private static String withoutProof(MysqlWire.Received last) {
        return last.toString().replaceAll("A\\\\01[0-9A-F]{64}", "");
    }

    private static void assertAlike(Conversation conversation) throws IOException {
        List<List<String>> answers = new ArrayList<>();
        for (int port : ports()) {
            try (MysqlWire client = MysqlWire.connect(port)) {
                answers.add(conversation.with(client));
            }
        }
        assertEquals(String.join("\n", answers.get(0)), String.join("\n", answers.get(1)));
    }

    private static final List<String> STATEMENTS = List.of(
            "SELECT 1",
            "SELECT * FROM item",
            "SELECT * FROM nosuch",
            "SELEC 1",
            "SELECT CURRENT_USER(), USER(), DATABASE()",
            "INSERT INTO item (name) VALUES ('x')",
            "SELECT LAST_INSERT_ID(), ROW_COUNT()",
            "UPDATE item SET name = 'y' WHERE name = 'x'",
            "SELECT ROW_COUNT()",
            "DELETE FROM item WHERE name = 'y'",
            "SELECT SQL_CALC_FOUND_ROWS * FROM item LIMIT 1",
            "SELECT FOUND_ROWS()",
            "SELECT 1/0",
            "SHOW WARNINGS",
            "SELECT 1; SELECT 2; INSERT INTO item (id, name) VALUES (77, 'm'); DELETE FROM item WHERE id = 77",
            "SELECT 1; SELECT * FROM nosuch; SELECT 3",
            "BEGIN",
            "INSERT INTO item (id, name) VALUES (88, 'z')",
            "SELECT * FROM item WHERE id = 88",
            "ROLLBACK",
            "SET autocommit = 0",
            "SELECT * FROM item",
            "COMMIT",
            "SET autocommit = 1",
            "SET character_set_results = latin1",
            "SET time_zone = '+02:00', sql_mode = 'ANSI_QUOTES'",
            "SELECT \"name\" FROM item ORDER BY 1",
            "SET sql_mode = DEFAULT",
            "SET @a = 5",
            "SELECT @a, @a + 1",
            "USE mysql",
            "USE shop",
            "CREATE TEMPORARY TABLE t (a INT)",
            "INSERT INTO t VALUES (1), (2)",
            "SELECT * FROM t",
            "CREATE OR REPLACE PROCEDURE p() BEGIN SELECT 1; SELECT 2; SET time_zone = '+05:00'; END",
            "CALL p()",
            "SELECT @@time_zone",
            "DROP PROCEDURE p",
            "PREPARE s FROM 'SELECT ? + 1'",
            "EXECUTE s USING @a",
            "DEALLOCATE PREPARE s",
            "LOCK TABLES item READ",
            "SELECT COUNT(*) FROM item",
            "INSERT INTO item (name) VALUES ('refused')",
            "UNLOCK TABLES",
            "HANDLER item OPEN",
            "HANDLER item READ FIRST",
            "HANDLER item CLOSE",
            "XA START 'x'",
            "XA END 'x'",
            "XA ROLLBACK 'x'",
            "START TRANSACTION READ ONLY",
            "DELETE FROM item",
            "COMMIT",
            "SELECT REPEAT('a', 300), NULL, ''",
            "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'mine'",
            "SELECT /*!50000 1 */ + 1 -- comment",
            "KILL 999999999",
            "",
            ";");

    @ParameterizedTest
    @ValueSource(
            ints = {
                MysqlWire.PLAIN,
                MysqlWire.PLAIN | MysqlWire.DEPRECATE_EOF,
                MysqlWire.PLAIN | MysqlWire.SESSION_TRACK,
                MysqlWire.PLAIN | MysqlWire.SESSION_TRACK | MysqlWire.DEPRECATE_EOF
            })
    void statementsAreAnsweredAlike(int capabilities) throws IOException {
        assertAlike(client -> {
            List<String> all = new ArrayList<>();
            all.add(withoutProof(client.tryLogin(capabilities, "ann", "secret", "shop")));
            for (String sql : STATEMENTS) {
                all.add("> " + sql);
                all.addAll(client.query(sql));
            }
            return all;
        });
    }

    @Test
    void warningsAreThoseOfTheClientsStatements() throws IOException {
        assertAlike(client -> {
            List<String> all = new ArrayList<>();
            client.tryLogin(MysqlWire.PLAIN, "ann", "secret", "shop");
            all.addAll(client.query("SHOW WARNINGS"));
            for (String sql : STATEMENTS) {
                all.add("> " + sql);
                all.addAll(client.query(sql));
                all.addAll(client.query("SHOW WARNINGS"));
            }
            return all;
        });
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {MysqlWire.PLAIN, MysqlWire.PLAIN | MysqlWire.DEPRECATE_EOF})
    void commandsAreAnsweredAlike(int capabilities) throws IOException {
        assertAlike(client -> {
            List<String> all = new ArrayList<>();
            client.tryLogin(capabilities, "ann", "secret", "shop");
            all.addAll(client.exchange(0x0e, new byte[0], true));
            all.addAll(client.exchange(0x02, "mysql".getBytes(StandardCharsets.UTF_8), true));
            all.addAll(client.exchange(0x02, "nosuch".getBytes(StandardCharsets.UTF_8), true));
            all.addAll(client.exchange(0x02, "shop".getBytes(StandardCharsets.UTF_8), true));
            all.addAll(client.exchange(0x04, "item\0%".getBytes(StandardCharsets.UTF_8), true));
            List<String> prepared = client.exchange(
                    0x16, "SELECT id, name FROM item WHERE id = ?".getBytes(StandardCharsets.UTF_8), true);
            // The statement's number depends on the connections that the server's thread has had before.
            String id = HexFormat.of().formatHex(client.firstOfReply(), 1, 5);
            all.addAll(prepared.subList(1, prepared.size()));
            // Execute with a parameter of type LONGLONG, value 2; then with a cursor, and fetch.
            all.addAll(client.exchange(0x17, hex(id + " 00 01000000 00 01 0800 0200000000000000"), true));
            all.addAll(client.exchange(0x17, hex(id + " 01 01000000 00 01 0800 0200000000000000"), true));
            all.addAll(client.exchange(0x1c, hex(id + " 01000000"), true));
            all.addAll(client.exchange(0x1c, hex(id + " 0a000000"), true));
            all.addAll(client.exchange(0x1a, hex(id + ""), true));
            all.addAll(client.exchange(SEND_LONG_DATA, hex(id + " 0000 33"), false));
            all.addAll(client.exchange(0x17, hex(id + " 00 01000000 00 01 fd00"), true));
            all.addAll(client.exchange(CLOSE, hex(id + ""), false));
            all.add(client.exchange(0x17, hex(id + " 00 01000000"), true).get(0).replaceAll("\\(\\d+\\)", "(n)"));
            all.addAll(client.exchange(0x16, "SELECT".getBytes(StandardCharsets.UTF_8), true));
            all.addAll(client.exchange(0x1b, hex("0100"), true));
            all.addAll(client.query("SELECT 1; SELECT 2"));
            all.addAll(client.exchange(0x1b, hex("0000"), true));
            all.addAll(client.query("SET time_zone = '+03:00'"));
            all.addAll(client.exchange(0x1f, new byte[0], true));
            all.addAll(client.query("SELECT @@time_zone, DATABASE()"));
            for (int unknown : new int[] {0x00, 0x05, 0x06, 0x0b, 0x0f, 0x10, 0x14, 0x1d, 0x20, 0x7f, 0xf0}) {
                all.add("> " + unknown);
                all.addAll(client.exchange(unknown, new byte[0], true));
            }
            return all;
        });
    }

    @Test
    void loginsAreAnsweredAlike() throws IOException {
        for (List<String> who : List.of(
                List.of("ann", "secret"),
                List.of("ann", "wrong"),
                List.of("ann", ""),
                List.of("empty", ""),
                List.of("empty", "something"),
                List.of("nobody", "x"),
                List.of("locked", "secret"),
                List.of("", ""))) {
            assertAlike(client -> {
                List<String> all = new ArrayList<>();
                all.add(withoutProof(client.tryLogin(MysqlWire.PLAIN, who.get(0), who.get(1), null)));
                all.addAll(client.query("SELECT CURRENT_USER(), USER()"));
                return all;
            });
        }
        assertAlike(client -> {
            List<String> all = new ArrayList<>();
            all.add(client.tryLogin(MysqlWire.PLAIN, "ann", "secret", "nosuch").toString());
            all.addAll(client.receiveAll());
            return all;
        });
    }

    @Test
    void malformedPacketsAreAnsweredAlike() throws IOException {
        for (String packet : List.of(
                "03000000 035345", // the wrong length: a statement of two bytes
                "05000007 0353454c45", // a wrong sequence number
                "00000000", // an empty packet
                "01000000 17", // an execution without a statement
                "05000000 1601020304", // no SQL
                "0a000000 1c01000000 0100000000")) {
            assertAlike(client -> {
                client.tryLogin(MysqlWire.PLAIN, "ann", "secret", "shop");
                client.sendBytes(hex(packet));
                List<String> all = new ArrayList<>();
                all.add(client.receive().toString());
                return all;
            });
        }
    }

    @Test
    void aMalformedHandshakeIsRefused() throws IOException {
        for (String packet : List.of("04000001 00000000", "20000001 " + "ff".repeat(32), "01000001 00")) {
            try (MysqlWire client = MysqlWire.connect(fronted.port())) {
                client.receive();
                client.sendBytes(hex(packet));
                List<String> all = client.receiveAll();
                assertTrue(all.get(0).contains("Bad handshake") || all.get(0).equals("closed"), all.toString());
            }
        }
    }

    @Test
    void statementsAndRowsOfMoreThanOnePacketPass() throws IOException {
        try (MysqlWire client = MysqlWire.connect(fronted.port())) {
            client.login("root", "", null);
            assertTrue(client.query("SET GLOBAL max_allowed_packet = 67108864")
                    .get(0)
                    .startsWith("1 \\00"));
        }
        int length = 20_000_000;
        try (MysqlWire client = MysqlWire.connect(fronted.port())) {
            client.login("root", "", null);
            byte[] text = ("SELECT LENGTH('" + "x".repeat(length) + "')").getBytes(StandardCharsets.UTF_8);
            byte[] first = new byte[0xffffff];
            first[0] = 3;
            System.arraycopy(text, 0, first, 1, first.length - 1);
            client.send(0, first);
            client.send(1, java.util.Arrays.copyOfRange(text, first.length - 1, text.length));
            client.receive();
            client.receive();
            client.receive();
            assertTrue(client.receive().toString().endsWith(String.valueOf(length)));
            client.receive();
            client.command(3, ("SELECT REPEAT('y', " + length + ")").getBytes(StandardCharsets.UTF_8));
            client.receive();
            client.receive();
            client.receive();
            assertEquals(0xffffff, client.receive().payload().length);
            assertEquals(length + 9 - 0xffffff, client.receive().payload().length);
            client.receive();
            assertTrue(client.query("SELECT 1").size() > 3);
        }
    }
}
