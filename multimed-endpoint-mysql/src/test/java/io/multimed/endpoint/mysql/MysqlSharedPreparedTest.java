package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.mysql.PreparedClient.Bound;
import io.multimed.endpoint.mysql.PreparedClient.Value;
import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.mariadb.PlainMariaDb;
import io.multimed.testkit.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that have prepared statements share connections to the Master, while tables change: none of them notices. */
@Tag("slow")
class MysqlSharedPreparedTest {
    private static final int CONNECTIONS = 6;
    private static final int CLIENTS = 12;
    /** Clients that need their connections for some steps. There may be more for other reasons. */
    private static final int MOST_HOLDING = 2;

    private static final int NAMES = 4;
    private static final int STEPS = Integer.getInteger("multimed.shared.steps", 1500);
    private static final int RESET_CONNECTION = 0x1f;

    private static PlainMariaDb plain;
    private static ReplicatedMariaDb shared;
    private static MysqlWire plainRoot;
    private static MysqlWire sharedRoot;

    @BeforeAll
    static void start() throws Exception {
        plain = PlainMariaDb.start("--server-id=1", "--log-bin=log", "--binlog-format=ROW");
        shared = new ReplicatedMariaDb(CONNECTIONS);
        plainRoot = ReplicatedMariaDb.root(plain);
        sharedRoot = ReplicatedMariaDb.root(shared.masterEngine);
        List<String> statements = new ArrayList<>(List.of(
                "CREATE DATABASE shop",
                "CREATE DATABASE store",
                "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2))",
                "INSERT INTO shop.item VALUES (1, 'one', 1.5), (2, 'tw\u00f6', 2), (3, NULL, 3)",
                "CREATE TABLE store.item (id INT PRIMARY KEY, name VARCHAR(40))",
                "INSERT INTO store.item VALUES (1, 'elsewhere')",
                "CREATE TABLE shop.base (id INT PRIMARY KEY)",
                "INSERT INTO shop.base VALUES (1), (2), (3)",
                "CREATE VIEW shop.v AS SELECT id FROM shop.base",
                "CREATE TABLE shop.gone (id INT PRIMARY KEY, a INT)",
                "CREATE PROCEDURE shop.two(n INT) BEGIN SELECT n; SELECT id FROM base WHERE id > n; END",
                "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                "GRANT ALL ON shop.* TO ann@'%'",
                "GRANT ALL ON store.* TO ann@'%'"));
        for (int i = 0; i < CLIENTS; i++) {
            statements.add("CREATE TABLE shop.own" + i + " (id INT PRIMARY KEY AUTO_INCREMENT, t VARCHAR(200))");
        }
        for (String sql : statements) {
            asRoot(sql);
        }
        changed();
    }

    @AfterAll
    static void stop() throws IOException {
        plainRoot.close();
        sharedRoot.close();
        plain.close();
        shared.close();
    }

    private static void asRoot(String sql) throws IOException {
        for (MysqlWire root : List.of(plainRoot, sharedRoot)) {
            List<String> reply = root.query(sql);
            assertTrue(reply.get(0).startsWith("1 \\00"), sql + ": " + reply);
        }
    }

    private static void changed() {
        shared.schemaChanges.incrementAndGet();
    }

    private static final class Client {
        final PreparedClient direct;
        final PreparedClient through;
        final List<Bound> bound = new ArrayList<>();
        List<String> rest = List.of();

        final boolean pings;

        Client(int capabilities) throws IOException {
            pings = capabilities != MysqlWire.PLAIN;
            direct = PreparedClient.connect(plain.port(), capabilities, "ann", "secret", "shop");
            through = PreparedClient.connect(shared.port(), capabilities, "ann", "secret", "shop");
            // Settings of before cannot be told once others have taken their place.
            direct.wire.query("SET NAMES utf8mb4");
            through.wire.query("SET NAMES utf8mb4");
            clear();
        }

        void clear() {
            bound.clear();
            for (int i = 0; i < NAMES; i++) {
                bound.add(new Bound());
            }
        }

        void close() throws IOException {
            direct.close();
            through.close();
        }
    }

    private static final List<String> STATEMENTS = List.of(
            "SELECT * FROM item WHERE id = ?",
            "SELECT id, name FROM item WHERE id > ? ORDER BY id",
            "SELECT * FROM gone WHERE id > ?",
            "SELECT id FROM v WHERE id > ?",
            "SELECT ?, 'x' || 'y', \"z\" FROM base WHERE id = 1",
            "SELECT ?, ?, 'tw\u00f6' FROM base LIMIT 1",
            "SELECT name FROM store.item WHERE id = ?",
            "SELECT 1",
            "SELECT ? + 1",
            "SELECT 1/?",
            "SELECT COUNT(*) FROM own#",
            "INSERT INTO own# (t) VALUES (?)",
            "UPDATE own# SET t = CONCAT(LEFT(t, 50), ?) WHERE id = ?",
            "DELETE FROM own# WHERE id = ?",
            "REPLACE INTO own# VALUES (?, ?)",
            "INSERT INTO gone SELECT 1, 2 FROM base WHERE id > 99",
            "BEGIN",
            "COMMIT",
            "SHOW TABLES LIKE 'base'",
            "SELECT nosuch FROM item",
            "SELEC");

    /** Statements that leave something that follows the session. */
    private static final List<String> TEXTS = List.of(
            "SELECT id FROM v",
            "SELECT * FROM item",
            "SELECT LAST_INSERT_ID()",
            "SELECT ROW_COUNT()",
            "SHOW WARNINGS",
            "SET sql_mode = 'PIPES_AS_CONCAT'",
            "SET sql_mode = 'ANSI_QUOTES'",
            "SET sql_mode = DEFAULT",
            "SET NAMES latin1",
            "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
            "SET NAMES utf8mb4",
            "SET time_zone = '+03:00'",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "INSERT INTO shop.own# (t) VALUES ('text')",
            "COMMIT");

    /** Changes of tables by another client. */
    private static final List<String> CHANGES = List.of(
            "ALTER TABLE shop.item ADD COLUMN IF NOT EXISTS more INT DEFAULT 7",
            "ALTER TABLE shop.item DROP COLUMN IF EXISTS more",
            "ALTER TABLE shop.item MODIFY COLUMN name VARCHAR(50)",
            "ALTER TABLE shop.item MODIFY COLUMN name VARCHAR(40)",
            "DROP TABLE IF EXISTS shop.gone",
            "CREATE TABLE IF NOT EXISTS shop.gone (id INT PRIMARY KEY, a INT)",
            "CREATE TABLE IF NOT EXISTS shop.gone (id INT PRIMARY KEY, a INT, b INT)",
            "CREATE OR REPLACE VIEW shop.v AS SELECT id FROM shop.base",
            "CREATE OR REPLACE VIEW shop.v AS SELECT id, id + 1 AS n FROM shop.base");

    /** Conversations during which a client may need to keep its connection. */
    private static final List<List<String>> HOLDING = List.of(
            List.of("prepare SELECT id FROM v WHERE id > ?", "cursor", "fetch", "fetch", "execute", "fetch", "close"),
            List.of(
                    "prepare SELECT id FROM item WHERE id > ?",
                    "cursor",
                    "fetch",
                    "SELECT id FROM v",
                    "fetch",
                    "close"),
            List.of("prepare SELECT id FROM v WHERE id > ?", "cursor", "close", "fetch", "SELECT id FROM v"),
            List.of("prepare INSERT INTO own# (t) VALUES (?)", "large", "large", "null", "RESET"),
            List.of(
                    "prepare INSERT INTO own# (t) VALUES (?)",
                    "long",
                    "wrong",
                    "null",
                    "execute",
                    "reset",
                    "execute",
                    "RESET"),
            List.of("prepare INSERT INTO own# (t) VALUES (?) RETURNING *", "execute", "execute", "RESET"),
            List.of(
                    "prepare SELECT name FROM item WHERE id > ?",
                    "USE store",
                    "execute",
                    "SELECT name FROM item",
                    "execute",
                    "prepare SELECT name FROM item WHERE id > ?",
                    "USE shop",
                    "execute",
                    "RESET"),
            List.of("prepare INSERT INTO own# (t) VALUES (?)", "execute", "USE store", "execute", "RESET"),
            List.of("prepare CALL two(LENGTH(?))", "execute", "execute", "RESET"),
            List.of("prepare SET @a = ?", "execute", "SELECT @a", "execute", "SELECT @a", "RESET"),
            List.of("prepare CREATE TEMPORARY TABLE t AS SELECT ? AS a", "execute", "SELECT * FROM t", "RESET"),
            List.of(
                    "prepare SELECT * FROM item WHERE id > ?",
                    "execute",
                    "CREATE TEMPORARY TABLE item (a INT)",
                    "execute",
                    "DROP TEMPORARY TABLE item",
                    "execute",
                    "RESET"),
            List.of("prepare SELECT ROW_COUNT(), ?", "INSERT INTO shop.own# (t) VALUES (1)", "execute", "RESET"),
            List.of(
                    "RESET",
                    "prepare SELECT 'tw\u00f6', ? FROM base",
                    "SET character_set_results = latin1",
                    "execute",
                    "RESET"),
            List.of(
                    "prepare SELECT 'tw\u00f6', ? FROM base",
                    "SET NAMES latin1",
                    "execute",
                    "SET character_set_results = utf8mb4",
                    "execute",
                    "RESET"),
            List.of(
                    "prepare BEGIN",
                    "execute",
                    "prepare INSERT INTO own# (t) VALUES (?)",
                    "execute",
                    "ROLLBACK",
                    "execute"),
            List.of(
                    "SET autocommit = 0",
                    "prepare INSERT INTO own# (t) VALUES (?)",
                    "execute",
                    "ROLLBACK",
                    "SET autocommit = 1"),
            List.of("prepare SET NAMES latin1", "execute", "execute", "RESET"),
            List.of(
                    "prepare SET sql_mode = 'ANSI_QUOTES'",
                    "execute",
                    "prepare SELECT \"id\" FROM v",
                    "execute",
                    "RESET"));

    private static List<String> step(Client client, PreparedClient side, String step, String name, List<Value> values)
            throws IOException {
        String word = step.contains(" ") ? step.substring(0, step.indexOf(' ')) : step;
        return switch (word) {
            case "RESET" -> {
                List<String> reply = new ArrayList<>(side.wire.exchange(RESET_CONNECTION, new byte[0], true));
                reply.addAll(side.wire.query("USE shop"));
                reply.addAll(side.wire.query("SET NAMES utf8mb4"));
                yield reply;
            }
            case "prepare" -> side.prepare(name, step.substring(word.length() + 1));
            case "execute" -> side.execute(name, false, true, values);
            case "again" -> side.execute(name, false, false, values);
            case "cursor" -> side.execute(name, true, true, values);
            case "null" -> side.execute(name, false, true, List.of(new Value(0xfc, new byte[0])));
            case "fetch" -> side.fetch(name, 1);
            case "reset" -> side.reset(name);
            case "long", "wrong", "large" -> {
                side.longData(name, word.equals("wrong") ? 9 : 0, word.equals("large") ? "x".repeat(50_000) : "long");
                yield List.of();
            }
            case "close" -> {
                side.closeStatement(name);
                yield List.of();
            }
            default -> client.pings ? side.wire.query(step) : side.wire.queryAlone(step);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {MysqlWire.PLAIN, MysqlWire.PLAIN | MysqlWire.DEPRECATE_EOF})
    void conversationsAreThoseOfSeparateConnections(int capabilities) throws Exception {
        long seed = Seed.of("multimed.shared.seed");
        Random random = new Random(seed);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(capabilities));
        }
        int loginsBefore = logins();
        Set<Client> holding = new HashSet<>();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            if (random.nextInt(12) == 0) {
                String change = CHANGES.get(random.nextInt(CHANGES.size()));
                all.add(i + " root> " + change);
                asRoot(change);
                changed();
            }
            int who = random.nextInt(CLIENTS);
            Client client = clients.get(who);
            int name = random.nextInt(NAMES);
            String step;
            List<Value> values = List.of();
            if (!client.rest.isEmpty()) {
                name = 0;
                step = client.rest.get(0);
                client.rest = client.rest.subList(1, client.rest.size());
            } else if (holding.size() < MOST_HOLDING && random.nextInt(8) == 0) {
                name = 0;
                client.rest = HOLDING.get(random.nextInt(HOLDING.size()));
                step = client.rest.get(0);
                client.rest = client.rest.subList(1, client.rest.size());
            } else {
                step = free(random);
            }
            step = step.replace("#", String.valueOf(who));
            Bound bound = client.bound.get(name);
            if (step.startsWith("prepare ")) {
                client.bound.set(name, Bound.of(step, random));
            } else if (step.equals("execute") || step.equals("cursor")) {
                boolean bringsTypes = bound.next(random);
                step = bringsTypes || step.equals("cursor") ? step : "again";
                values = List.copyOf(bound.values);
            }
            exchange(client, step, "s" + name, values, i, who, all, seed);
            if (step.equals("wrong") || step.equals("reset")) {
                bound.forgetTypes();
            }
            if (step.equals("RESET")) {
                client.clear();
            }
            if (client.rest.isEmpty()) {
                holding.remove(client);
                // What the last statement has left keeps nobody on a connection.
                exchange(client, "ROLLBACK", "", List.of(), i, who, all, seed);
                exchange(client, "SELECT id FROM shop.base", "", List.of(), i, who, all, seed);
            } else {
                holding.add(client);
            }
        }
        int logins = logins() - loginsBefore;
        System.out.println(STEPS + " steps, " + logins + " connections to the Master made again");
        assertTrue(logins > STEPS / 20, "connections were not shared: " + logins);
        for (Client client : clients) {
            client.close();
        }
    }

    private static String free(Random random) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> "prepare " + STATEMENTS.get(random.nextInt(STATEMENTS.size()));
            case 2 -> TEXTS.get(random.nextInt(TEXTS.size()));
            case 4 -> random.nextInt(5) == 0 ? "RESET" : "execute";
            case 3 -> random.nextInt(3) == 0 ? "close" : random.nextBoolean() ? "reset" : "fetch";
            default -> "execute";
        };
    }

    private static void exchange(
            Client client, String step, String name, List<Value> values, int i, int who, List<String> all, long seed)
            throws IOException {
        all.add(i + " " + who + "> " + name + " " + step + " "
                + values.stream().map(Value::type).toList());
        String expected = String.join("\n", step(client, client.direct, step, name, values));
        String message =
                "seed " + seed + "\n" + String.join("\n", all.subList(Math.max(0, all.size() - 300), all.size()));
        assertFalse(expected.contains("closed"), message);
        assertEquals(expected, String.join("\n", step(client, client.through, step, name, values)), message);
    }

    private static int logins() throws IOException {
        String reply = String.join("\n", sharedRoot.query("SHOW GLOBAL STATUS LIKE 'Connections'"));
        return Integer.parseInt(reply.replaceAll("(?s).*Connections\\\\[0-9a-f]{2}(\\d+)\n.*", "$1"));
    }
}
