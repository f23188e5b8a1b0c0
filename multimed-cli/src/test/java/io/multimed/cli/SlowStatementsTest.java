package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a running instance reports of statements: slow ones in its log, which may be JSON, and traced ones to a collector. */
@Tag("slow")
@Timeout(120)
class SlowStatementsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TestDirectory parent;

    @BeforeEach
    void makeDirectory() throws Exception {
        parent = new TestDirectory();
    }

    @AfterEach
    void removeDirectory() throws Exception {
        parent.close();
    }

    private ProgramProcess up(String tables) throws Exception {
        Path config = Files.writeString(
                parent.resolve("test.toml"),
                "endpoint.listen = '127.0.0.1:0'\nmetrics.listen = 'off'\n" + tables + "\n");
        return MULTIMED.start(
                "up", "--dir", parent.resolve("home").toString(), "--config", config.toString(), "--satellites", "1");
    }

    private static Connection connect(String ready, String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:" + ready.split(" ")[1].replaceFirst("/postgres$", "/" + database)
                        + "?preferQueryMode=extended&ApplicationName=nightly",
                "postgres",
                "");
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(parent.resolve("home/log/multimed.log"));
    }

    /** Returns the lines about slow statements with this text. */
    private List<JsonNode> slow(String text) throws IOException {
        List<JsonNode> found = new ArrayList<>();
        for (String line : lines()) {
            JsonNode json = JSON.readTree(line);
            if (json.required("message").asText().equals("Slow statement")
                    && json.required("text").asText().contains(text)) {
                found.add(json);
            }
        }
        return found;
    }

    private JsonNode awaitSlow(String text) throws Exception {
        Await.until("a line about " + text, () -> !slow(text).isEmpty());
        assertEquals(1, slow(text).size());
        return slow(text).getFirst();
    }

    @Test
    void aCollectorIsSentTracedStatementsAndMetrics() throws Exception {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        Map<String, List<byte[]>> sent = new ConcurrentHashMap<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            sent.computeIfAbsent(exchange.getRequestURI().getPath(), path -> new CopyOnWriteArrayList<>())
                    .add(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        String otlp =
                "[otlp]\nendpoint = 'http://127.0.0.1:" + collector.getAddress().getPort() + "'\nmetrics = '1s'\n";
        try (ProgramProcess up = up(otlp)) {
            try (Connection connection = connect(up.awaitLine(), "postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 'secret' AS traced /*traceparent='00-" + trace + "-00f067aa0ba902b7-01'*/");
                statement.execute("SELECT 'secret' AS untraced");
            }
            Await.until("a span", () -> contains(sent.get("/v1/traces"), "AS traced"));
            Await.until("metrics", () -> contains(sent.get("/v1/metrics"), "multimed_node_serving"));
            up.terminate();
            assertEquals(0, up.awaitExit());
        } finally {
            collector.stop(0);
        }
        List<byte[]> spans = sent.get("/v1/traces");
        assertTrue(contains(spans, new String(HexFormat.of().parseHex(trace), StandardCharsets.ISO_8859_1)));
        assertTrue(contains(spans, "satellite-1: "));
        assertFalse(contains(spans, "untraced"));
        assertFalse(contains(spans, "secret"));
    }

    private static boolean contains(@Nullable List<byte[]> bodies, String text) {
        return bodies != null
                && bodies.stream().anyMatch(body -> new String(body, StandardCharsets.ISO_8859_1).contains(text));
    }

    @Test
    void theLogIsJsonAndTellsOfSlowStatementsWithoutTheirLiterals() throws Exception {
        try (ProgramProcess up = up("[log]\nformat = 'json'\nslow = '1s'")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready, "postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE goods (id int, name text)");
                statement.execute("SELECT count(*) FROM goods WHERE name = 'quick' AND id = 1");
                statement.execute("SELECT pg_sleep(1.2), 'secret' FROM generate_series(1, 1) AS on_satellite");
                JsonNode read = awaitSlow("on_satellite");
                assertEquals(
                        "SELECT pg_sleep(?), ? FROM generate_series(?, …) AS on_satellite",
                        read.required("text").asText());
                assertTrue(read.required("duration_ms").asDouble() >= 1200, read::toString);
                assertTrue(read.required("route").asText().startsWith("satellite-1: "), read::toString);
                assertEquals("answered", read.required("outcome").asText());
                assertEquals("postgres", read.required("user").asText());
                assertEquals("postgres", read.required("database").asText());
                assertEquals("nightly", read.required("application_name").asText());
                assertTrue(read.required("address").asText().startsWith("127.0.0.1:"), read::toString);
                assertFalse(read.required("shape").asText().isEmpty());

                try (PreparedStatement prepared = connection.prepareStatement(
                        "UPDATE goods SET name = ? WHERE pg_sleep(1.2) IS NULL AND id = ?")) {
                    statement.execute("INSERT INTO goods VALUES (1, 'secret')");
                    prepared.setString(1, "secret");
                    prepared.setInt(2, 1);
                    prepared.execute();
                }
                JsonNode write = awaitSlow("UPDATE goods");
                assertTrue(write.required("route").asText().startsWith("master: "), write::toString);
                assertEquals("", write.required("shape").asText());

                statement.execute("SET statement_timeout = '1200ms'");
                try {
                    statement.execute("SELECT pg_sleep(5) AS too_long");
                } catch (SQLException expected) {
                    assertEquals("57014", expected.getSQLState());
                }
                assertEquals("failed", awaitSlow("too_long").required("outcome").asText());
            }
            assertEquals(List.of(), slow("count(*)"));
            List<String> errors = up.errors().lines().toList();
            up.terminate();
            assertEquals(0, up.awaitExit());
            for (String line : lines()) {
                JsonNode json = JSON.readTree(line);
                for (String key : List.of("time", "level", "thread", "logger", "message")) {
                    assertTrue(json.has(key), line);
                }
                assertFalse(line.contains("secret"), line);
            }
            List<String> withConfiguration =
                    errors.stream().dropWhile(line -> !line.startsWith("{")).toList();
            assertFalse(withConfiguration.isEmpty(), up::errors);
            for (String line : withConfiguration) {
                assertTrue(JSON.readTree(line).has("message"), line);
            }
        }
    }

    @Test
    void aWaitBeforeTheEngineIsToldOf() throws Exception {
        try (ProgramProcess up = up("[log]\nformat = 'json'\nslow = '200ms'")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready, "postgres");
                    Connection admin = connect(ready, "multimed");
                    Statement statement = connection.createStatement();
                    Statement command = admin.createStatement()) {
                statement.execute("SELECT 1");
                command.execute("PAUSE");
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                    try {
                        statement.execute("SELECT 1 AS has_waited");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                Await.until("a client that waits", () -> isAnyWaiting(command));
                // The length of the wait itself.
                Thread.sleep(300);
                command.execute("RESUME");
                waiting.join();
                JsonNode line = awaitSlow("has_waited");
                assertEquals("connection", line.required("waited_for").asText());
                assertTrue(line.required("wait_ms").asDouble() >= 200, line::toString);
                assertTrue(
                        line.required("wait_ms").asDouble()
                                <= line.required("duration_ms").asDouble(),
                        line::toString);
            }
        }
    }

    private static boolean isAnyWaiting(Statement admin) throws SQLException {
        try (ResultSet pools = admin.executeQuery("SHOW POOLS")) {
            while (pools.next()) {
                if (pools.getInt("waiting") > 0) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void asTextWithLiteralsIfAskedButNeverWithPasswords() throws Exception {
        try (ProgramProcess up = up("[log]\nslow = '1s'\nliterals = true")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready, "postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_sleep(1.2), 'a \"value\"'");
                statement.execute(
                        "DO $$ BEGIN PERFORM pg_sleep(1.2); EXECUTE 'CREATE ROLE bob PASSWORD ''secret'''; END $$");
            }
            Await.until(
                    "both lines",
                    () -> lines().stream()
                                    .filter(line -> line.contains("Slow statement: duration_ms="))
                                    .count()
                            == 2);
            List<String> slow = lines().stream()
                    .filter(line -> line.contains("Slow statement: "))
                    .toList();
            assertTrue(slow.get(0).endsWith(" text=\"SELECT pg_sleep(1.2), 'a \\\"value\\\"'\""), slow.get(0));
            assertTrue(slow.get(1).endsWith(" text=\"DO ?\""), slow.get(1));
        }
    }
}
