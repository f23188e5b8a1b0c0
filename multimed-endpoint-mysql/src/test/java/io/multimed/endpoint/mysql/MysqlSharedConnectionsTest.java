package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.mariadb.PlainMariaDb;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More clients than connections to the Master: none of them notices. */
@Tag("slow")
class MysqlSharedConnectionsTest {
    private static final int CONNECTIONS = 3;
    private static final int CLIENTS = 7;
    private static final int STEPS = Integer.getInteger("multimed.shared.steps", 1500);
    private static final int MANY = Integer.getInteger("multimed.shared.clients", 200);
    private static final int RESET_CONNECTION = 0x1f;
    private static final int PING = 0x0e;
    private static final int INIT_DB = 0x02;
    private static final int CHANGE_USER = 0x11;
    private static final int KILL = 0x0c;

    private static PlainMariaDb plain;
    private static ReplicatedMariaDb shared;

    @BeforeAll
    static void start() throws Exception {
        plain = PlainMariaDb.start("--server-id=1", "--log-bin=log", "--binlog-format=ROW");
        shared = new ReplicatedMariaDb(CONNECTIONS);
        for (PlainMariaDb engine : List.of(plain, shared.masterEngine)) {
            try (MysqlWire root = ReplicatedMariaDb.root(engine)) {
                List<String> statements = new ArrayList<>(List.of(
                        "CREATE DATABASE shop",
                        "CREATE DATABASE store",
                        "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40))",
                        "INSERT INTO shop.item VALUES (1, 'one'), (2, 'two'), (3, 'three')",
                        "CREATE VIEW shop.v AS SELECT id FROM shop.item",
                        "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                        "CREATE ROLE buyer",
                        "GRANT ALL ON store.* TO buyer",
                        "GRANT buyer TO ann@'%'",
                        "SET DEFAULT ROLE buyer FOR ann@'%'",
                        "GRANT ALL ON shop.* TO ann@'%'"));
                for (int i = 0; i < CLIENTS; i++) {
                    statements.add("CREATE TABLE shop.own" + i + " (id INT PRIMARY KEY AUTO_INCREMENT, n INT)");
                }
                for (String sql : statements) {
                    assertTrue(root.query(sql).get(0).startsWith("1 \\00"), sql);
                }
            }
        }
        shared.schemaChanges.incrementAndGet();
    }

    @AfterAll
    static void stop() throws IOException {
        plain.close();
        shared.close();
    }

    private static MysqlWire ann(int port) throws IOException {
        MysqlWire client = MysqlWire.connect(port);
        client.login("ann", "secret", "shop");
        return client;
    }

    private static String text(List<String> reply) {
        return String.join("\n", reply);
    }

    private static String number(MysqlWire client) throws IOException {
        return value(client.query("SELECT CONNECTION_ID()"));
    }

    /** Returns the only value of a result. */
    private static String value(List<String> reply) {
        return text(reply).replaceAll("(?s).*\n4 \\\\[0-9a-f]{2}(\\d+)\n.*", "$1");
    }

    /** Statements after which another connection serves as well. */
    private static final List<String> FREE = List.of(
            "SELECT 1",
            "SELECT name FROM item WHERE id = 1",
            "SELECT * FROM item",
            "SELECT id FROM v",
            "SELECT id FROM v WHERE id > 100",
            "SELECT DATABASE(), USER(), CURRENT_USER()",
            "SELECT @@time_zone, @@sql_mode, @@autocommit, @@transaction_read_only, @@transaction_isolation",
            "SELECT @@character_set_client, @@character_set_results, @@collation_connection, @@group_concat_max_len",
            "SELECT LAST_INSERT_ID()",
            "SELECT ROW_COUNT()",
            "SHOW WARNINGS",
            "INSERT INTO own# (n) VALUES (1)",
            "INSERT INTO own# (id, n) VALUES (NULL, 5)",
            "UPDATE own# SET n = n + 1 WHERE id = 1",
            "DELETE FROM own# WHERE id = 2",
            "SET time_zone = '+03:00'",
            "SET time_zone = SYSTEM",
            "SET sql_mode = 'ANSI_QUOTES'",
            "SET sql_mode = DEFAULT",
            "SET NAMES latin1",
            "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
            "SET group_concat_max_len = 7",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            "COMMIT",
            "INIT_DB",
            "PING");

    /** Statements during which a client may need to keep its connection. */
    private static final List<List<String>> HOLDING = List.of(
            List.of("SELECT id FROM v", "SELECT FOUND_ROWS()"),
            List.of("SELECT id FROM v LIMIT 1 OFFSET 1", "SELECT FOUND_ROWS(), ROW_COUNT()"),
            List.of("SELECT id FROM v", "COMMIT", "SELECT FOUND_ROWS(), ROW_COUNT()"),
            List.of("SELECT id FROM v", "INSERT INTO own# (n) VALUES (1)", "SELECT FOUND_ROWS(), ROW_COUNT()"),
            List.of("SELECT id FROM v LIMIT 1", "INSERT INTO own# (n) VALUES (1)", "SELECT ROW_COUNT(), FOUND_ROWS()"),
            List.of(
                    "SELECT id FROM v WHERE id > 9",
                    "INSERT INTO own# (n) VALUES (1)",
                    "SELECT FOUND_ROWS(), ROW_COUNT()"),
            List.of(
                    "SELECT id FROM v WHERE id > 9",
                    "DELETE FROM own# WHERE id = -1",
                    "SELECT FOUND_ROWS(), ROW_COUNT()"),
            List.of(
                    "SELECT a.id FROM v a, v b, v c, v d, v e",
                    "SET max_join_size = 50, sql_select_limit = 2",
                    "COMMIT",
                    "SELECT FOUND_ROWS(), ROW_COUNT()",
                    "SELECT id FROM v",
                    "SET max_join_size = DEFAULT, sql_select_limit = DEFAULT"),
            List.of(
                    "STMT_PREPARE",
                    "STMT_EXECUTE",
                    "SELECT ROW_COUNT()",
                    "STMT_EXECUTE",
                    "STMT_CLOSE",
                    "SELECT id FROM v"),
            List.of("SET timestamp = 1000", "SELECT NOW()", "SELECT NOW()", "SELECT NOW()", "RESET", "USE shop"),
            List.of(
                    "SET insert_id = 500",
                    "INSERT INTO own# (n) VALUES (1)",
                    "SELECT LAST_INSERT_ID()",
                    "RESET",
                    "USE shop"),
            List.of("SET rand_seed1 = 5, rand_seed2 = 6", "SELECT RAND()", "RESET", "USE shop"),
            List.of(
                    "SET unique_checks = 0, sql_safe_updates = 1, sql_notes = 0, check_constraint_checks = 0",
                    "SELECT @@unique_checks, @@sql_safe_updates, @@sql_notes, @@check_constraint_checks",
                    "RESET",
                    "USE shop"),
            List.of(
                    "SET sql_auto_is_null = 1",
                    "INSERT INTO own# (n) VALUES (1)",
                    "SELECT n FROM own# WHERE id IS NULL",
                    "RESET",
                    "USE shop"),
            List.of("/* a */ SET foreign_key_checks = 0", "SELECT @@foreign_key_checks", "RESET", "USE shop"),
            List.of("SET lock_wait_timeout = 9", "SELECT @@lock_wait_timeout", "RESET", "USE shop"),
            List.of(
                    "SET STATEMENT max_statement_time = 5 FOR SELECT id FROM v",
                    "SELECT ROW_COUNT()",
                    "RESET",
                    "USE shop"),
            List.of(
                    "SET STATEMENT max_statement_time = 5 FOR PREPARE s FROM 'SELECT 5'",
                    "EXECUTE s",
                    "RESET",
                    "USE shop"),
            List.of("SET STATEMENT max_statement_time = 5 FOR SET @b = 5", "SELECT @b", "RESET", "USE shop"),
            List.of("SELECT @b", "SET @b = 6", "SELECT 1", "SELECT @b", "RESET", "USE shop"),
            List.of("SELECT CURRENT_ROLE()", "SET ROLE NONE", "SELECT CURRENT_ROLE()", "RESET", "USE shop"),
            List.of("SELECT nosuch FROM item", "SHOW WARNINGS", "SELECT 1", "SHOW WARNINGS", "SELECT id FROM v"),
            List.of("SELECT 1/0", "SHOW WARNINGS", "SELECT 1", "SHOW WARNINGS", "SELECT id FROM v"),
            List.of("INSERT INTO own# (n) VALUES (2), (3)", "SELECT LAST_INSERT_ID(), ROW_COUNT()", "SELECT 1"),
            List.of("UPDATE own# SET n = n + 1", "SELECT ROW_COUNT()"),
            List.of("DELETE FROM own#", "SELECT ROW_COUNT()"),
            List.of("INSERT INTO nosuch VALUES (1)", "SELECT ROW_COUNT()", "INSERT INTO own# (n) VALUES (1)"),
            List.of("USE nosuch", "SELECT DATABASE()", "SELECT id FROM v"),
            List.of("USE store", "SELECT DATABASE()", "SELECT id FROM shop.item", "USE shop"),
            List.of("SELEC", "COMMIT", "SELECT id FROM v"),
            List.of("SET time_zone = '+05:00', sql_mode = 'nosuch'", "SELECT @@time_zone", "RESET", "USE shop"),
            List.of(
                    "SET SESSION TRANSACTION READ ONLY",
                    "SELECT id FROM v",
                    "SELECT @@tx_read_only",
                    "SET SESSION TRANSACTION READ WRITE"),
            List.of("BEGIN", "INSERT INTO own# (n) VALUES (7)", "SELECT * FROM own#", "ROLLBACK"),
            List.of("START TRANSACTION READ ONLY", "SELECT * FROM item", "COMMIT"),
            List.of("SET autocommit = 0", "SELECT * FROM item", "DELETE FROM own#", "ROLLBACK", "SET autocommit = 1"),
            List.of("SET @a = 5", "SELECT @a", "SELECT @a := @a + 1", "SELECT @a", "RESET", "USE shop"),
            List.of("CREATE TEMPORARY TABLE item (x INT)", "SELECT * FROM item", "RESET", "USE shop"),
            List.of("SELECT GET_LOCK('#', 0)", "SELECT IS_FREE_LOCK('#')", "RESET", "USE shop"),
            List.of("PREPARE s FROM 'SELECT 5'", "EXECUTE s", "RESET", "USE shop"),
            List.of("SELECT SQL_CALC_FOUND_ROWS id FROM v LIMIT 1", "SELECT FOUND_ROWS()", "RESET", "USE shop"),
            List.of("SET foreign_key_checks = 0", "SELECT @@foreign_key_checks", "RESET", "USE shop"),
            List.of(
                    "LOCK TABLES own# WRITE",
                    "SELECT * FROM own#",
                    "SELECT * FROM item",
                    "UNLOCK TABLES",
                    "RESET",
                    "USE shop"),
            List.of("HANDLER item OPEN", "HANDLER item READ FIRST", "RESET", "USE shop"),
            List.of("SELECT LAST_INSERT_ID(77)", "SELECT LAST_INSERT_ID()", "RESET", "USE shop"),
            List.of("XA START '#'", "XA END '#'", "XA ROLLBACK '#'", "RESET", "USE shop"),
            List.of("SET TRANSACTION READ ONLY", "BEGIN", "DELETE FROM own#", "ROLLBACK", "RESET", "USE shop"));

    private static final class Client {
        final PreparedClient direct;
        final PreparedClient through;
        List<String> rest = List.of();

        Client() throws IOException {
            direct = new PreparedClient(ann(plain.port()));
            through = new PreparedClient(ann(shared.port()));
        }
    }

    private static List<String> execute(PreparedClient client, String step, boolean pings) throws IOException {
        return switch (step) {
            case "RESET" -> client.wire.exchange(RESET_CONNECTION, new byte[0], true);
            case "PING" -> client.wire.exchange(PING, new byte[0], true);
            case "INIT_DB" -> client.wire.exchange(INIT_DB, "shop".getBytes(StandardCharsets.UTF_8), true);
            case "STMT_PREPARE" -> client.prepare("s", "SELECT id FROM v WHERE id > ?");
            case "STMT_EXECUTE" -> client.execute("s", PreparedClient.Value.number(1));
            case "STMT_CLOSE" -> {
                client.closeStatement("s");
                yield List.of();
            }
            default -> pings ? client.wire.query(step) : client.wire.queryAlone(step);
        };
    }

    @Test
    void conversationsAreThoseOfSeparateConnections() throws Exception {
        long seed = "new".equals(System.getProperty("multimed.shared.seed"))
                ? System.nanoTime()
                : Long.getLong("multimed.shared.seed", 36);
        Random random = new Random(seed);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client());
        }
        int loginsBefore = logins();
        Set<Client> holding = new HashSet<>();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int who = random.nextInt(CLIENTS);
            Client client = clients.get(who);
            String step;
            if (!client.rest.isEmpty()) {
                step = client.rest.get(0);
                client.rest = client.rest.subList(1, client.rest.size());
            } else if (holding.size() < CONNECTIONS - 1 && random.nextInt(4) == 0) {
                client.rest = HOLDING.get(random.nextInt(HOLDING.size()));
                step = client.rest.get(0);
                client.rest = client.rest.subList(1, client.rest.size());
            } else {
                step = FREE.get(random.nextInt(FREE.size()));
            }
            step = step.replace("#", String.valueOf(who));
            if (client.rest.isEmpty()) {
                holding.remove(client);
            } else {
                holding.add(client);
            }
            all.add(i + " " + who + "> " + step);
            boolean pings = random.nextBoolean();
            String expected = text(execute(client.direct, step, pings));
            String actual = text(execute(client.through, step, pings));
            assertEquals(expected, actual, () -> "seed " + seed + "\n" + String.join("\n", all));
        }
        int logins = logins() - loginsBefore;
        System.out.println(STEPS + " steps, " + logins + " connections to the Master made again");
        assertTrue(logins > STEPS / 10, "connections were not shared: " + logins);
        for (Client client : clients) {
            client.direct.close();
            client.through.close();
        }
    }

    private static int logins() throws IOException {
        try (MysqlWire root = ReplicatedMariaDb.root(shared.masterEngine)) {
            return Integer.parseInt(
                    value(
                            root.query(
                                    "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'CONNECTIONS'")));
        }
    }

    @Test
    void eachStepMayFindAnotherConnection() throws Exception {
        StringBuilder differences = new StringBuilder();
        for (List<String> steps : HOLDING) {
            Client client = new Client();
            for (String step : steps) {
                displaceOthers();
                String statement = step.replace("#", "0");
                String expected = text(execute(client.direct, statement, false));
                String actual = text(execute(client.through, statement, false));
                if (!expected.equals(actual)) {
                    differences
                            .append(steps)
                            .append(": ")
                            .append(step)
                            .append('\n')
                            .append(expected)
                            .append("\nbut\n")
                            .append(actual)
                            .append('\n');
                }
            }
            client.direct.close();
            client.through.close();
        }
        assertEquals("", differences.toString());
    }

    /** Has all clients that can give up their connections do so. */
    private static void displaceOthers() throws IOException {
        List<MysqlWire> others = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            MysqlWire other = ann(shared.port());
            other.query("SELECT id FROM v");
            others.add(other);
        }
        for (MysqlWire other : others) {
            other.close();
        }
    }

    @Test
    void manyClientsShareFewConnections() throws Exception {
        List<MysqlWire> clients = new ArrayList<>();
        try (MysqlWire root = ReplicatedMariaDb.root(shared.masterEngine)) {
            for (int i = 0; i < MANY; i++) {
                clients.add(ann(shared.port()));
            }
            for (int round = 0; round < 2; round++) {
                for (MysqlWire client : clients) {
                    assertTrue(
                            text(client.query("SELECT id FROM v WHERE id = 2")).contains("2"));
                }
            }
            int connected = Integer.parseInt(
                    value(root.query("SELECT COUNT(*) FROM information_schema.PROCESSLIST" + " WHERE USER = 'ann'")));
            assertTrue(connected <= CONNECTIONS + 2, connected + " connections");
        } finally {
            for (MysqlWire client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aDefaultOfAColumnThatASequenceGivesLeavesItsLastValue() throws Exception {
        try (ReplicatedMariaDb two = new ReplicatedMariaDb(2);
                MysqlWire root = ReplicatedMariaDb.root(two.masterEngine)) {
            for (String sql : List.of(
                    "CREATE DATABASE shop",
                    "CREATE SEQUENCE shop.s",
                    "CREATE TABLE shop.t (id INT DEFAULT (NEXT VALUE FOR shop.s), n INT)",
                    "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                    "GRANT ALL ON shop.* TO ann@'%'")) {
                assertTrue(root.query(sql).get(0).startsWith("1 \\00"), sql);
            }
            two.schemaChanges.incrementAndGet();
            try (MysqlWire client = ann(two.port())) {
                MysqlWire other = ann(two.port());
                client.query("INSERT INTO t (n) VALUES (1)");
                Thread third = Thread.ofPlatform().start(() -> {
                    try (MysqlWire waiting = ann(two.port())) {
                        waiting.query("SELECT 1");
                    } catch (IOException expected) {
                        // The connection was not to be had.
                    }
                });
                for (int i = 0; i < 50; i++) {
                    assertEquals("1", value(client.query("SELECT PREVIOUS VALUE FOR s")));
                }
                other.close();
                third.join();
            }
        }
    }

    @Test
    void clientsAreKilledByTheNumbersThatTheyKnow() throws Exception {
        try (MysqlWire victim = MysqlWire.connect(shared.port());
                MysqlWire killer = ann(shared.port())) {
            victim.login("ann", "secret", "shop");
            String number = number(victim);
            victim.exchange(RESET_CONNECTION, new byte[0], true);
            for (boolean asCommand : new boolean[] {false, true}) {
                // The others take the victim's connection away.
                List<MysqlWire> others = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS + 1; i++) {
                    MysqlWire other = ann(shared.port());
                    other.query("SELECT id FROM v");
                    others.add(other);
                }
                victim.query("USE shop");
                if (asCommand) {
                    long known = Long.parseLong(number);
                    byte[] operand = {(byte) known, (byte) (known >> 8), (byte) (known >> 16), (byte) (known >> 24)};
                    killer.exchange(KILL, operand, true);
                    assertTrue(text(victim.query("SELECT 1")).contains("closed"));
                } else {
                    victim.command(3, "SELECT SLEEP(15)".getBytes(StandardCharsets.UTF_8));
                    awaitSleep();
                    assertTrue(killer.query("KILL QUERY " + number).get(0).startsWith("1 \\00"));
                    StringBuilder reply = new StringBuilder();
                    int ends = 0;
                    while (ends < 2) {
                        MysqlWire.Received packet = victim.receive();
                        reply.append(packet).append('\n');
                        int first = packet.payload()[0] & 0xff;
                        ends += first == 0xff ? 2 : first == 0xfe ? 1 : 0;
                    }
                    // SLEEP() that was interrupted returns 1, or fails.
                    assertTrue(
                            reply.toString().contains("\n4 \\011\n")
                                    || reply.toString().contains("interrupted"),
                            reply.toString());
                    victim.exchange(RESET_CONNECTION, new byte[0], true);
                }
                for (MysqlWire other : others) {
                    other.close();
                }
            }
        }
    }

    private static void awaitSleep() throws Exception {
        try (MysqlWire root = ReplicatedMariaDb.root(shared.masterEngine)) {
            for (int i = 0; i < 2000; i++) {
                if (value(root.query(
                                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(15)'"))
                        .equals("1")) {
                    return;
                }
                Thread.sleep(1);
            }
        }
        throw new AssertionError("not executed");
    }

    @Test
    void aClientWhoseConnectionHasMovedChangesItsUser() throws Exception {
        try (MysqlWire client = ann(shared.port())) {
            for (int i = 0; i < CONNECTIONS + 1; i++) {
                try (MysqlWire other = ann(shared.port())) {
                    other.query("SELECT id FROM v");
                }
            }
            assertTrue(text(client.query("SELECT id FROM v")).contains("2"));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes("ann\0".getBytes(StandardCharsets.UTF_8));
            out.write(20);
            // The client's first scramble is not that of the present connection.
            out.writeBytes(new byte[20]);
            out.writeBytes("shop\0".getBytes(StandardCharsets.UTF_8));
            out.writeBytes(new byte[] {45, 0});
            out.writeBytes("mysql_native_password\0".getBytes(StandardCharsets.UTF_8));
            client.command(CHANGE_USER, out.toByteArray());
            MysqlWire.Received asked = client.receive();
            byte[] request = asked.payload();
            assertEquals((byte) 0xfe, request[0], asked.toString());
            int end = 1;
            while (request[end] != 0) {
                end++;
            }
            client.send(asked.sequence() + 1, reply("secret", Arrays.copyOfRange(request, end + 1, end + 21)));
            assertEquals(0, client.receive().payload()[0]);
            assertTrue(text(client.query("SELECT id FROM v")).contains("2"));
        }
    }

    private static byte[] reply(String password, byte[] scramble) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-1");
        byte[] hash = sha.digest(password.getBytes(StandardCharsets.UTF_8));
        byte[] twice = sha.digest(hash);
        sha.update(scramble);
        byte[] mask = sha.digest(twice);
        for (int i = 0; i < hash.length; i++) {
            hash[i] ^= mask[i];
        }
        return hash;
    }
}
