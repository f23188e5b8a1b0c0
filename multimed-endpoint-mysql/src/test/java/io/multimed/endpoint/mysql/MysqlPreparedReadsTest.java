package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.mysql.PreparedClient.Value;
import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements prepared by the protocol are executed by a Satellite if they only read, and are answered as the Master answers them. */
@Tag("slow")
class MysqlPreparedReadsTest {
    private static final int STEPS = Integer.getInteger("multimed.prepared.steps", 1500);
    private static final int TEXT = 0xfd;
    private static final int BLOB = 0xfc;

    private static ReplicatedMariaDb database;

    @BeforeAll
    static void start() throws Exception {
        database = new ReplicatedMariaDb();
        try (MysqlWire client = ReplicatedMariaDb.root(database.masterEngine)) {
            for (String sql : List.of(
                    "CREATE DATABASE shop",
                    "CREATE DATABASE other",
                    "CREATE TABLE shop.item (id INT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2), at DATETIME, doc TEXT)",
                    "INSERT INTO shop.item VALUES (1, 'one', 1.50, '2020-01-01 10:00:00', 'a'),"
                            + " (2, 'tw\u00f6', 2.25, NULL, REPEAT('b', 400)), (3, NULL, NULL, '2021-05-05 00:00:00', NULL),"
                            + " (4, 'four', -4, '1999-12-31 23:59:59', ''), (5, 'f\u00efve', 5, NULL, 'e')",
                    "CREATE TABLE other.item (id INT PRIMARY KEY, name VARCHAR(40))",
                    "INSERT INTO other.item VALUES (1, 'elsewhere')",
                    "CREATE TABLE shop.counter (n INT)",
                    "INSERT INTO shop.counter VALUES (0)",
                    "CREATE TABLE shop.nothing LIKE shop.item",
                    "CREATE USER ann@'%' IDENTIFIED BY 'secret'",
                    "GRANT ALL ON shop.* TO ann@'%'",
                    "GRANT ALL ON other.* TO ann@'%'")) {
                done(client, sql);
            }
        }
        database.schemaChanges.incrementAndGet();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    private static PreparedClient ann(int port, int capabilities) throws IOException {
        return PreparedClient.connect(port, capabilities, "ann", "secret", "shop");
    }

    private static PreparedClient ann() throws IOException {
        return ann(database.port(), MysqlWire.PLAIN);
    }

    private static PreparedClient direct() throws IOException {
        return ann(database.masterEngine.port(), MysqlWire.PLAIN);
    }

    private static void done(MysqlWire client, String sql) throws IOException {
        List<String> reply = client.query(sql);
        assertTrue(reply.get(0).startsWith("1 \\00"), sql + ": " + reply);
    }

    private static long served() {
        return database.satellite.served();
    }

    private static <T> T onSatellite(Callable<T> read) throws Exception {
        return database.onSatellite(read);
    }

    private static String text(List<String> reply) {
        return String.join("\n", reply);
    }

    @Test
    void anExecutionShowsEachCommitThatWasAcknowledgedBefore() throws Exception {
        try (PreparedClient reader = ann();
                MysqlWire writer = ReplicatedMariaDb.root(database.masterEngine)) {
            reader.prepare("s", "SELECT CAST(n AS CHAR) FROM counter WHERE n >= ?");
            onSatellite(() -> reader.execute("s", Value.number(0)));
            long before = served();
            for (int n = 1; n <= 200; n++) {
                done(writer, "UPDATE shop.counter SET n = " + n);
                String reply = text(reader.execute("s", Value.number(0)));
                assertTrue(reply.contains("\n4 \\00\\00\\0" + String.valueOf(n).length() + n), n + ": " + reply);
            }
            assertTrue(served() > before + 150, "executed by the Satellite: " + (served() - before));
        }
    }

    @Test
    void typesHoldUntilOthersAreSent() throws Exception {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            for (PreparedClient each : List.of(client, direct)) {
                each.prepare("s", "SELECT ?, name FROM item WHERE id = 1");
            }
            onSatellite(() -> client.execute("s", Value.real(1.5)));
            direct.execute("s", Value.real(1.5));
            List<Value> again = List.of(Value.real(2.5));
            assertEquals(
                    text(direct.execute("s", false, false, again)),
                    text(onSatellite(() -> client.execute("s", false, false, again))));
            // The Master has not been told the types yet.
            done(client.wire, "BEGIN");
            done(direct.wire, "BEGIN");
            assertEquals(
                    text(direct.execute("s", false, false, again)), text(client.execute("s", false, false, again)));
            done(client.wire, "COMMIT");
        }
    }

    @Test
    void aCursorStaysOnItsSatellite() throws Exception {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            String sql = "SELECT id, name FROM item WHERE id > ? ORDER BY id";
            client.prepare("s", sql);
            direct.prepare("s", sql);
            onSatellite(() -> client.execute("s", Value.number(0)));
            List<Value> all = List.of(Value.number(0));
            assertEquals(
                    text(direct.execute("s", true, true, all)),
                    text(onSatellite(() -> client.execute("s", true, true, all))));
            done(client.wire, "CREATE TEMPORARY TABLE pinned (a INT)");
            done(direct.wire, "CREATE TEMPORARY TABLE pinned (a INT)");
            for (int rows : new int[] {2, 1, 5, 1}) {
                assertEquals(text(direct.fetch("s", rows)), text(client.fetch("s", rows)));
            }
        }
    }

    @Test
    void aCursorWhoseSatelliteHasGoneIsLost() throws Exception {
        try (PreparedClient client = ann()) {
            client.prepare("s", "SELECT id FROM item WHERE id > ?");
            onSatellite(() -> client.execute("s", true, true, List.of(Value.number(0))));
            assertTrue(text(client.fetch("s", 1)).startsWith("1 \\00"));
            database.endpoint.nodeGone(database.satellite);
            String lost = text(client.fetch("s", 1));
            assertTrue(lost.contains("\\ff") && lost.contains("40001"), lost);
            onSatellite(() -> client.execute("s", Value.number(0)));
        }
    }

    @Test
    void settingsAreThoseOfThePreparation() throws Exception {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            String sql = "SELECT name, ?, 'x' || 'y' FROM item WHERE id = 1";
            for (String name : List.of("early", "later", "elsewhere")) {
                for (PreparedClient each : List.of(client, direct)) {
                    each.prepare(name, sql);
                    done(each.wire, name.equals("early") ? "SET sql_mode = 'PIPES_AS_CONCAT'" : "USE other");
                }
                for (int i = 0; i < 20; i++) {
                    assertEquals(
                            text(direct.execute(name, Value.small(i))), text(client.execute(name, Value.small(i))));
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
            String reply = text(onSatellite(() -> client.execute("elsewhere", Value.small(7))));
            assertTrue(reply.contains("elsewhere"), reply);
        }
    }

    @Test
    void questionsAboutTheLastExecutionAreAnswered() throws Exception {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            String counting = "SELECT SQL_CALC_FOUND_ROWS id, id / ? FROM item ORDER BY id LIMIT 1";
            List<List<String>> answers = new ArrayList<>();
            for (PreparedClient each : List.of(direct, client)) {
                List<String> all = new ArrayList<>();
                for (String between : List.of("nothing", "close", "prepare", "reset", "long")) {
                    each.prepare("s", counting);
                    if (each == client) {
                        onSatellite(() -> each.execute("s", Value.number(0)));
                    } else {
                        each.execute("s", Value.number(0));
                    }
                    switch (between) {
                        case "close" -> each.closeStatement("s");
                        case "prepare" -> all.addAll(each.prepare("t", "SELECT 1"));
                        case "reset" -> all.addAll(each.reset("s"));
                        case "long" -> each.longData("s", 0, "1");
                        default -> {}
                    }
                    all.add("> " + between);
                    all.addAll(each.wire.query("SHOW WARNINGS"));
                    all.addAll(each.wire.query("SELECT FOUND_ROWS()"));
                }
                each.prepare("s", counting);
                each.execute("s", Value.number(0));
                each.prepare("rows", "SELECT FOUND_ROWS()");
                all.addAll(each.execute("rows"));
                answers.add(all);
            }
            assertEquals(text(answers.get(0)), text(answers.get(1)));
        }
    }

    @Test
    void largeParametersSentAheadAreTheMasters() throws Exception {
        try (PreparedClient client = ann();
                PreparedClient direct = direct()) {
            for (PreparedClient each : List.of(client, direct)) {
                each.prepare("s", "SELECT id, LENGTH(?) FROM item");
            }
            onSatellite(() -> client.execute("s", Value.text(TEXT, "a")));
            String much = "x".repeat(50_000);
            List<String> replies = new ArrayList<>();
            for (PreparedClient each : List.of(direct, client)) {
                each.longData("s", 0, much);
                each.longData("s", 0, much);
                // Sent ahead: the execution itself brings no value.
                replies.add(text(each.execute("s", false, true, List.of(new Value(BLOB, new byte[0])))));
            }
            assertEquals(replies.get(0), replies.get(1));
        }
    }

    /** Both servers are the same database, so the statements change nothing and lock nothing. */
    private static final List<String> STATEMENTS = List.of(
            "SELECT * FROM item WHERE id = ?",
            "SELECT id, name, price FROM item WHERE id > ? AND price < ? ORDER BY id",
            "SELECT ?, ?, ? FROM item LIMIT ?",
            "SELECT id FROM item WHERE name = ?",
            "SELECT COUNT(*), SUM(price), MAX(at) FROM item",
            "SELECT a.id, b.name FROM item a JOIN item b ON a.id = b.id + ? ORDER BY 1, 2",
            "SELECT CONCAT(name, ?), HEX(?), CAST(? AS CHAR) FROM item ORDER BY id",
            "SELECT id, id / ? FROM item ORDER BY id",
            "SELECT SQL_CALC_FOUND_ROWS doc FROM item ORDER BY id LIMIT 2",
            "SELECT FROM_UNIXTIME(?), at FROM item WHERE at > ?",
            "SELECT 1",
            "SELECT nosuch FROM item WHERE id = ?",
            "SELECT * FROM nosuch",
            "SELECT CONNECTION_ID() > 0, ?",
            "SELECT @a, ?",
            "SELEC",
            "INSERT INTO nosuch VALUES (?)",
            "DELETE FROM nothing WHERE id > ?",
            "SELECT id FROM other.item WHERE name LIKE ? UNION SELECT id FROM item WHERE id < ?",
            "SET @a = ?");

    private static final List<String> TEXTS = List.of(
            "SHOW WARNINGS",
            "SET time_zone = '+05:00'",
            "SET time_zone = SYSTEM",
            "SET NAMES latin1",
            "SET NAMES utf8mb4",
            "SET sql_mode = 'ANSI_QUOTES'",
            "SET sql_mode = DEFAULT",
            "USE other",
            "USE shop",
            "SELECT name FROM item WHERE id = 2",
            "INSERT INTO nosuch VALUES (1)",
            "BEGIN",
            "COMMIT",
            "SET @a = 7",
            "UPDATE shop.nothing SET name = 'x'");

    /** The kinds of steps of a conversation. */
    private interface Action {
        List<String> with(PreparedClient client) throws IOException;
    }

    /** One step of a conversation. */
    private record Step(String text, Action action) {}

    private static Step step(Random random, List<PreparedClient.Bound> all) {
        int name = random.nextInt(all.size() - 1);
        String own = "s" + name;
        boolean last = random.nextInt(12) == 0;
        String called = last ? PreparedClient.LAST : own;
        PreparedClient.Bound bound = all.get(last ? all.size() - 1 : name);
        switch (random.nextInt(16)) {
            case 0, 1 -> {
                String sql = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
                PreparedClient.Bound fresh = PreparedClient.Bound.of(sql, random);
                all.set(name, fresh);
                all.set(all.size() - 1, fresh);
                return new Step("prepare " + own + " " + sql, client -> client.prepare(own, sql));
            }
            case 2 -> {
                String sql = TEXTS.get(random.nextInt(TEXTS.size()));
                return new Step(sql, client -> client.wire.query(sql));
            }
            case 3 -> {
                return new Step("reset " + called, client -> client.reset(called));
            }
            case 4 -> {
                return new Step("close " + own, client -> {
                    client.closeStatement(own);
                    return List.of();
                });
            }
            case 5 -> {
                boolean possible = !bound.values.isEmpty();
                return new Step("long data " + called + " " + possible, client -> {
                    if (possible) {
                        client.longData(called, 0, "long");
                    }
                    return List.of();
                });
            }
            case 6, 7 -> {
                int rows = 1 + random.nextInt(3);
                return new Step("fetch " + called + " " + rows, client -> client.fetch(called, rows));
            }
            default -> {
                boolean cursor = random.nextInt(4) == 0;
                boolean bringsTypes = bound.next(random);
                List<Value> values = List.copyOf(bound.values);
                return new Step(
                        "execute " + called + (cursor ? ", cursor " : " ") + (bringsTypes ? "with types " : "")
                                + values.stream().map(Value::type).toList(),
                        client -> client.execute(called, cursor, bringsTypes, values));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {MysqlWire.PLAIN, MysqlWire.PLAIN | MysqlWire.DEPRECATE_EOF})
    void randomConversationsAreAnsweredAlike(int capabilities) throws Exception {
        long seed = Seed.of("multimed.prepared.seed");
        Random random = new Random(seed);
        long before = served();
        try (MysqlWire writer = ReplicatedMariaDb.root(database.masterEngine)) {
            PreparedClient client = null;
            PreparedClient direct = null;
            List<PreparedClient.Bound> bound = new ArrayList<>();
            List<String> steps = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                if (i % 100 == 0) {
                    if (client != null && direct != null) {
                        client.close();
                        direct.close();
                    }
                    client = ann(database.port(), capabilities);
                    direct = ann(database.masterEngine.port(), capabilities);
                    bound.clear();
                    steps.clear();
                    // The last place is for the statement that was prepared last.
                    for (int name = 0; name < 4; name++) {
                        bound.add(new PreparedClient.Bound());
                    }
                }
                if (random.nextInt(20) == 0) {
                    done(writer, "UPDATE shop.item SET price = price + 1 WHERE id = 1");
                }
                Step step = step(random, bound);
                steps.add(step.text());
                String expected = text(step.action().with(direct));
                String message = "seed " + seed + ", step " + i + ":\n"
                        + String.join("\n", steps.subList(Math.max(0, steps.size() - 30), steps.size()));
                assertFalse(expected.contains("closed"), message);
                assertEquals(expected, text(step.action().with(client)), message);
            }
            if (client != null && direct != null) {
                client.close();
                direct.close();
            }
        }
        assertTrue(served() > before + STEPS / 50, "executed by the Satellite: " + (served() - before));
    }
}
