package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.mariadb.MysqlWire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that are READ ONLY read on one Satellite, as they would on the Master. */
@Tag("slow")
class MysqlReadOnlyBlocksTest {
    private static final String COUNT = "SELECT CONCAT('n=', n) FROM counter";

    private static ReplicatedMariaDb database;
    private static MysqlWire writer;

    @BeforeAll
    static void start() throws Exception {
        database = new ReplicatedMariaDb();
        writer = ReplicatedMariaDb.root(database.masterEngine);
        for (String sql : List.of(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40))",
                "INSERT INTO shop.item VALUES (1, 'one'), (2, 'two')",
                "CREATE TABLE shop.counter (n INT)",
                "INSERT INTO shop.counter VALUES (0)",
                "CREATE VIEW shop.v AS SELECT id FROM shop.item",
                "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                "GRANT ALL ON shop.* TO ann@'%'")) {
            done(writer, sql);
        }
        database.schemaChanges.incrementAndGet();
        try (MysqlWire client = ann(database.port())) {
            database.onSatellite(() -> client.query(COUNT));
            database.onSatellite(() -> client.query("SELECT name FROM item WHERE id = 1"));
        }
    }

    @AfterAll
    static void stop() throws IOException {
        writer.close();
        database.close();
    }

    @BeforeEach
    void begin() throws IOException {
        done(writer, "UPDATE shop.counter SET n = 0");
    }

    private static MysqlWire ann(int port) throws IOException {
        MysqlWire client = MysqlWire.connect(port);
        client.login("ann", "secret", "shop");
        return client;
    }

    private static void done(MysqlWire client, String sql) throws IOException {
        List<String> reply = client.query(sql);
        assertTrue(reply.get(0).startsWith("1 \\00"), sql + ": " + reply);
    }

    private static String text(List<String> reply) {
        return String.join("\n", reply);
    }

    private static void assertCounts(MysqlWire client, int n) throws IOException {
        String reply = text(client.query(COUNT));
        assertTrue(reply.contains("n=" + n + "\n"), reply);
    }

    private static long served() {
        return database.satellite.served();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"START TRANSACTION READ ONLY", "SET TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ ONLY"})
    void theFirstReadFixesTheSnapshot(String declaration) throws Exception {
        try (MysqlWire client = ann(database.port())) {
            for (int i = 0; i < 3; i++) {
                begin();
                done(client, declaration);
                if (!declaration.startsWith("START")) {
                    done(client, "BEGIN");
                }
                done(writer, "UPDATE shop.counter SET n = 1");
                long before = served();
                assertCounts(client, 1);
                done(writer, "UPDATE shop.counter SET n = 2");
                assertCounts(client, 1);
                assertCounts(client, 1);
                assertTrue(served() >= before + 3, "not all by the Satellite");
                done(client, "COMMIT");
                assertCounts(client, 2);
            }
        }
    }

    @Test
    void aConsistentSnapshotIsThatOfTheStart() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            for (String start : List.of(
                    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
                    "START TRANSACTION READ ONLY, WITH CONSISTENT SNAPSHOT")) {
                done(writer, "UPDATE shop.counter SET n = 3");
                done(client, start);
                done(writer, "UPDATE shop.counter SET n = 4");
                long before = served();
                assertCounts(client, 3);
                assertTrue(served() > before, "not by the Satellite");
                // A read that only the Master can execute has the same snapshot, if nothing else was read.
                done(client, "ROLLBACK");
                done(client, start);
                assertTrue(text(client.query("SELECT id FROM v")).contains("1"));
                done(writer, "UPDATE shop.counter SET n = 5");
                assertCounts(client, 4);
                done(client, "COMMIT");
            }
        }
    }

    @Test
    void underReadCommittedEachStatementShowsWhatWasAcknowledged() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            done(client, "START TRANSACTION READ ONLY");
            long before = served();
            for (int n = 1; n <= 50; n++) {
                done(writer, "UPDATE shop.counter SET n = " + n);
                assertCounts(client, n);
                if (n % 10 == 0) {
                    assertTrue(text(client.query("SELECT id FROM v")).contains("1"));
                }
            }
            assertTrue(served() >= before + 40, "executed by the Satellite: " + (served() - before));
            done(client, "COMMIT");
        }
    }

    @Test
    void aStatementForTheMasterMovesABlockThatHasReadNothing() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "START TRANSACTION READ ONLY");
            long before = served();
            assertTrue(text(client.query("SELECT id FROM v")).contains("1"));
            assertCounts(client, 0);
            done(writer, "UPDATE shop.counter SET n = 1");
            assertCounts(client, 0);
            assertEquals(before, served());
            done(client, "COMMIT");
        }
    }

    @Test
    void aStatementForTheMasterIsRefusedAfterARead() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "START TRANSACTION READ ONLY");
            assertCounts(client, 0);
            String refused = text(client.query("SELECT id FROM v"));
            assertTrue(refused.contains("#40001Multimed"), refused);
            // As after a deadlock, the transaction is over, and succeeds when it is tried again.
            done(writer, "UPDATE shop.counter SET n = 7");
            assertCounts(client, 7);
            done(client, "START TRANSACTION READ ONLY");
            assertCounts(client, 7);
            assertTrue(text(client.query("SELECT id FROM v")).contains("1"));
            done(client, "COMMIT");
        }
    }

    @Test
    void aBlockWhoseSatelliteHasGoneIsOver() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "START TRANSACTION READ ONLY");
            assertCounts(client, 0);
            database.endpoint.nodeGone(database.satellite);
            done(writer, "UPDATE shop.counter SET n = 8");
            String lost = text(client.query(COUNT));
            assertTrue(lost.contains("#40001Multimed"), lost);
            assertCounts(client, 8);
            done(client, "INSERT INTO item VALUES (9, 'nine')");
            done(client, "DELETE FROM item WHERE id = 9");
        }
    }

    @Test
    void statementsThatAreNewWaitForTheParser() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "START TRANSACTION READ ONLY");
            assertCounts(client, 0);
            long before = served();
            for (int i = 0; i < 300; i++) {
                String reply = text(client.query("SELECT n AS new" + i + " FROM counter"));
                assertTrue(reply.contains("new" + i), reply);
            }
            assertTrue(served() >= before + 300, "not all by the Satellite");
            done(client, "COMMIT");
        }
    }

    private static final List<String> STATEMENTS = List.of(
            "START TRANSACTION READ ONLY",
            "SELECT name FROM item WHERE id = 1",
            "SELECT 1",
            "SELECT nosuch FROM item",
            "SELECT name FROM item WHERE id = 1",
            "SHOW WARNINGS",
            "SELECT SQL_CALC_FOUND_ROWS name FROM item WHERE id > 0 LIMIT 1",
            "SELECT FOUND_ROWS()",
            "SET @a = 3",
            "SELECT @a, USER(), CONNECTION_ID() > 0",
            "SET time_zone = '+04:00'",
            "SELECT name, FROM_UNIXTIME(0) FROM item",
            "INSERT INTO item VALUES (7, 'seven')",
            "DELETE FROM item",
            "SAVEPOINT s",
            "ROLLBACK TO SAVEPOINT s",
            "RELEASE SAVEPOINT s",
            "SELECT name FROM item WHERE id = 1",
            "USE mysql",
            "USE shop",
            "SHOW TABLES",
            "SET TRANSACTION READ ONLY",
            "START TRANSACTION READ ONLY, READ WRITE",
            "COMMIT NOTHING",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SELECT name FROM item WHERE id = 1",
            "START TRANSACTION READ ONLY",
            "SELECT name FROM item WHERE id = 1",
            "START TRANSACTION",
            "SELECT name FROM item WHERE id = 1",
            "UPDATE item SET name = 'one' WHERE id = 1",
            "ROLLBACK AND CHAIN",
            "SELECT name FROM item WHERE id = 1",
            "ROLLBACK",
            "START TRANSACTION READ ONLY",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT AND CHAIN",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "BEGIN",
            "START TRANSACTION READ ONLY, READ WRITE",
            "SET autocommit = 0",
            "START TRANSACTION READ ONLY",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SET autocommit = 1",
            "START TRANSACTION READ ONLY",
            "SELECT name FROM item WHERE id = 1",
            "SET autocommit = 0",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SELECT name FROM item WHERE id = 1",
            "SET autocommit = 1",
            "SET SESSION TRANSACTION READ ONLY",
            "SET autocommit = 0",
            "SELECT 1",
            "SELECT nosuch FROM item",
            "SELECT @@in_transaction",
            "SELECT name FROM item WHERE id = 1",
            "SELECT @@in_transaction",
            "SELECT 1",
            "SELECT nosuch FROM item",
            "SHOW WARNINGS",
            "SELECT SQL_CALC_FOUND_ROWS name FROM item WHERE id > 0 LIMIT 1",
            "SELECT FOUND_ROWS()",
            "INSERT INTO item VALUES (7, 'seven')",
            "SAVEPOINT s",
            "SET TRANSACTION READ WRITE",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SELECT @@in_transaction",
            "SET TRANSACTION READ WRITE",
            "SELECT name FROM item WHERE id = 1",
            "UPDATE item SET name = 'one' WHERE id = 1",
            "ROLLBACK",
            "SELECT name FROM item WHERE id = 1",
            "START TRANSACTION",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT AND CHAIN",
            "SELECT name FROM item WHERE id = 1",
            "SET autocommit = 1",
            "SELECT name FROM item WHERE id = 1",
            "SET autocommit = 0",
            "SELECT name FROM item WHERE id = 1",
            "SET SESSION TRANSACTION READ WRITE",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SELECT name FROM item WHERE id = 1",
            "UPDATE item SET name = 'one' WHERE id = 1",
            "ROLLBACK",
            "SET SESSION TRANSACTION READ ONLY",
            "SET completion_type = 'CHAIN'",
            "SELECT id FROM v",
            "SELECT nosuch FROM item",
            "SELECT name FROM item WHERE id = 1",
            "COMMIT",
            "SELECT name FROM item WHERE id = 1",
            "SET completion_type = DEFAULT",
            "ROLLBACK",
            "SET SESSION TRANSACTION READ WRITE",
            "SET autocommit = 1");

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "SET autocommit = 0, autocommit = 1"})
    void withoutAutocommitTheFirstReadBeginsTheTransaction(String end) throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "SET autocommit = 0");
            done(client, "SET SESSION TRANSACTION READ ONLY");
            for (int i = 0; i < 3; i++) {
                begin();
                long before = served();
                assertCounts(client, 0);
                done(writer, "UPDATE shop.counter SET n = 1");
                assertCounts(client, 0);
                assertTrue(served() >= before + 2, "not all by the Satellite");
                assertTrue(text(client.query("INSERT INTO counter VALUES (1)")).contains("READ ONLY"));
                done(client, end);
                done(client, "SET autocommit = 0");
                assertCounts(client, 1);
                done(client, "ROLLBACK");
            }
            done(client, "SET SESSION TRANSACTION READ WRITE");
            assertCounts(client, 1);
            done(client, "UPDATE counter SET n = 2");
            assertCounts(client, 2);
            done(client, "COMMIT");
        }
    }

    @Test
    void withoutAutocommitARefusedTransactionSucceedsWhenItIsTriedAgain() throws Exception {
        try (MysqlWire client = ann(database.port())) {
            done(client, "SET autocommit = 0");
            done(client, "SET SESSION TRANSACTION READ ONLY");
            for (int i = 0; i < 3; i++) {
                assertCounts(client, 0);
                String refused = text(client.query("SELECT id FROM v"));
                assertTrue(refused.contains("#40001Multimed"), refused);
                done(client, "ROLLBACK");
                assertCounts(client, 0);
                assertTrue(text(client.query("SELECT id FROM v")).contains("1"));
                done(client, "COMMIT");
            }
        }
    }

    @Test
    void statementsInBlocksAreAnsweredAlike() throws Exception {
        List<String> answers = new ArrayList<>();
        for (int port : new int[] {database.masterEngine.port(), database.port()}) {
            try (MysqlWire client = ann(port)) {
                // What is new to Multimed the first time is the Master's, and not a Satellite's.
                StringBuilder all = new StringBuilder();
                for (int round = 0; round < 3; round++) {
                    for (String sql : STATEMENTS) {
                        String reply = text(client.query(sql));
                        all.append("> ").append(sql).append('\n').append(reply).append('\n');
                    }
                    client.query("SET time_zone = SYSTEM");
                }
                answers.add(all.toString());
            }
        }
        assertEquals(answers.get(0), answers.get(1));
    }
}
