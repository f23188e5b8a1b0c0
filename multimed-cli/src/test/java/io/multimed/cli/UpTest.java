package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code multimed up} with real engines, from the outside. */
@Tag("slow")
class UpTest {
    private TestDirectory parent;

    @BeforeEach
    void makeDirectory() throws Exception {
        parent = new TestDirectory();
        // The instance has ports of its own, and a Satellite on any machine.
        Files.writeString(
                parent.resolve("test.toml"),
                "[endpoint]\nlisten = \"127.0.0.1:0\"\n[metrics]\nlisten = \"127.0.0.1:0\"\n");
    }

    @AfterEach
    void removeDirectory() throws Exception {
        parent.close();
    }

    private String home() {
        return parent.resolve("home").toString();
    }

    private ProgramProcess up(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "up", "--dir", home(), "--config", parent.resolve("test.toml").toString()));
        arguments.addAll(List.of(more));
        return MULTIMED.start(arguments.toArray(String[]::new));
    }

    private JsonNode status() throws Exception {
        return new ObjectMapper().readTree(MULTIMED.run(0, "status", "--dir", home(), "--json"));
    }

    private static JsonNode node(JsonNode status, String name) {
        for (JsonNode node : status.get("nodes")) {
            if (node.get("name").asText().equals(name)) {
                return node;
            }
        }
        throw new AssertionError("no node " + name + " in " + status);
    }

    /** @param ready the line that up prints */
    private static Connection connect(String ready) throws SQLException {
        String url = ready.split(" ")[1];
        return DriverManager.getConnection("jdbc:" + url, "postgres", "");
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : "";
            }
        }
    }

    @Test
    void leavesNothingOfTheSocketsThatLieElsewhereSinceTheirPathsWouldBeTooLong() throws Exception {
        String home = parent.resolve("long-name-".repeat(10)).toString();
        try (ProgramProcess up = MULTIMED.start(
                "up", "--dir", home, "--config", parent.resolve("test.toml").toString(), "--satellites", "0")) {
            up.awaitLine();
            Path sockets = Home.of(Path.of(home)).run();
            assertTrue(Files.exists(sockets));
            assertFalse(sockets.startsWith(parent.path()), sockets::toString);
            up.terminate();
            assertEquals(0, up.awaitExit());
            assertFalse(Files.exists(sockets), sockets::toString);
        }
    }

    @Test
    void saysThatItEndsAndNotThatItIsReadyWhenItIsEndedAmidTheStart() throws Exception {
        try (ProgramProcess up = up("--satellites", "3")) {
            Await.until("the master", () -> up.errors().contains("serving the master's data"));
            up.interrupt();
            assertEquals(0, up.awaitExit());
            assertEquals("", up.printed());
            assertTrue(up.errors().contains("ending: waiting for transactions"), up.errors());
        }
    }

    @Test
    void ctrlCInPsqlIsPsqlsOwn() throws Exception {
        Path programs = Files.createDirectory(parent.resolve("programs"));
        Path end = parent.resolve("end");
        Path psql = Files.writeString(
                programs.resolve("psql"),
                "#!/bin/sh\necho started\nwhile [ ! -e " + end + " ]; do sleep 0.05; done\nexit 3\n");
        Files.setPosixFilePermissions(psql, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ProgramProcess up = up("--satellites", "0")) {
            up.awaitLine();
            try (ProgramProcess sql = MULTIMED.startWith(
                    Map.of("PATH", programs + ":" + System.getenv("PATH")), "sql", "--dir", home())) {
                assertEquals("started", sql.awaitLine());
                sql.interrupt();
                Files.createFile(end);
                assertEquals(3, sql.awaitExit());
            }
        }
    }

    @Test
    void servesShowsItsStateEndsCleanlyAndKeepsItsData() throws Exception {
        try (ProgramProcess up = up("--satellites", "1")) {
            String ready = up.awaitLine();
            assertTrue(
                    ready.matches("ready postgresql://127\\.0\\.0\\.1:[0-9]+/postgres satellites=1"),
                    ready + "\n" + up.errors());
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE kept (a int)");
                ask(connection, "INSERT INTO kept VALUES (42)");
                assertEquals("42", ask(connection, "SELECT a FROM kept"));

                JsonNode status = status();
                assertEquals(ready.split(" ")[1], status.get("endpoint").asText());
                assertTrue(status.get("scn").asLong() > 0, status.toString());
                assertEquals(2, status.get("nodes").size());
                JsonNode master = node(status, "master");
                JsonNode satellite = node(status, "satellite-1");
                assertEquals("master", master.get("role").asText());
                assertEquals("satellite", satellite.get("role").asText());
                assertEquals("serving", satellite.get("state").asText(), status.toString());
                for (JsonNode node : status.get("nodes")) {
                    assertTrue(ProcessHandle.of(node.get("pid").asLong()).isPresent(), node.toString());
                    assertFalse(node.get("cores").isEmpty(), node.toString());
                    assertTrue(
                            Files.exists(Path.of(
                                    node.get("host").asText(),
                                    ".s.PGSQL." + node.get("port").asInt())),
                            node.toString());
                    for (String number : List.of("applied", "lag_ms", "active", "served")) {
                        assertTrue(node.get(number).isNumber(), number + " of " + node);
                    }
                }
                String table = MULTIMED.run(0, "status", "--dir", home());
                assertTrue(table.contains("satellite-1") && table.contains("CONNECT WITH"), table);

                try (ProgramProcess second = up()) {
                    assertEquals(1, second.awaitExit());
                    assertTrue(
                            second.errors().contains("another Multimed (process " + up.pid() + ") runs on"),
                            second.errors());
                    assertEquals("", second.printed());
                }
                assertEquals("42", ask(connection, "SELECT a FROM kept"));
            }
            up.terminate();
            assertEquals(0, up.awaitExit());
            assertEquals("", up.printed(), "one line on standard output");
        }
        assertEquals(List.of(), enginesOf(home()));
        Path memory = Home.of(parent.resolve("home")).memoryRoot(Path.of("/dev/shm"));
        assertFalse(Files.exists(memory), "memory is given back");

        try (ProgramProcess again = up("--satellites", "0")) {
            String ready = again.awaitLine();
            assertTrue(ready.endsWith(" satellites=0"), ready);
            try (Connection connection = connect(ready)) {
                assertEquals("42", ask(connection, "SELECT a FROM kept"));
            }
            MULTIMED.run(0, "down", "--dir", home());
            assertEquals(0, again.awaitExit());
        }
    }

    @Test
    void adoptsAnExistingDataDirectoryAndLeavesNothingInIt() throws Exception {
        try (ProgramProcess up = up("--satellites", "0")) {
            try (Connection connection = connect(up.awaitLine())) {
                ask(connection, "CREATE TABLE kept (a int)");
                ask(connection, "INSERT INTO kept VALUES (3)");
            }
        }
        java.nio.file.Path data = parent.resolve("home/data");
        List<String> before = names(data);
        try (ProgramProcess adopted = MULTIMED.start(
                "up",
                "--dir",
                data.toString(),
                "--satellites",
                "1",
                "--config",
                parent.resolve("test.toml").toString())) {
            String ready = adopted.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + adopted.errors());
            assertTrue(adopted.errors().contains("No file of " + data + " is edited"), adopted.errors());
            try (Connection connection = connect(ready)) {
                assertEquals("3", ask(connection, "SELECT a FROM kept"));
            }
            assertTrue(MULTIMED.run(0, "status", "--dir", data.toString()).contains("satellite-1"));
            adopted.terminate();
            assertEquals(0, adopted.awaitExit());
        }
        assertEquals(before, names(data));
        assertTrue(Files.isDirectory(parent.resolve("home/data.multimed/log")));
    }

    /** As root it runs the engines as another user, who must be able to reach the directories. */
    @Test
    void startsWithWhateverUmaskOnDirectoriesOfItsOwnAndBesideOnesThatItAdopts() throws Exception {
        Path home = parent.resolve("new/home");
        for (Path directory : List.of(home, home.resolve("data"))) {
            try (ProgramProcess up = MULTIMED.startWithClosedUmask(
                    "up",
                    "--dir",
                    directory.toString(),
                    "--satellites",
                    "1",
                    "--config",
                    parent.resolve("test.toml").toString())) {
                String ready = up.awaitLine();
                assertTrue(ready.endsWith("satellites=1"), ready + up.errors());
            }
        }
    }

    private static List<String> names(java.nio.file.Path directory) {
        return java.util.Arrays.stream(
                        java.util.Objects.requireNonNull(directory.toFile().list()))
                .sorted()
                .toList();
    }

    @Test
    void restartsAKilledMasterAndLosesNothing() throws Exception {
        try (ProgramProcess up = up("--satellites", "0")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE kept (a int)");
                ask(connection, "INSERT INTO kept VALUES (1)");
            }
            long before = node(status(), "master").get("pid").asLong();
            ProcessHandle.of(before).orElseThrow().destroyForcibly();
            Await.until("a new master that answers", () -> {
                try (Connection connection = connect(ready)) {
                    return ask(connection, "SELECT a FROM kept").equals("1");
                } catch (SQLException e) {
                    return false;
                }
            });
            assertTrue(node(status(), "master").get("pid").asLong() != before);
            try (Connection connection = connect(ready)) {
                ask(connection, "INSERT INTO kept VALUES (2)");
                assertEquals("2", ask(connection, "SELECT count(*) FROM kept"));
            }
        }
    }

    @Test
    void replacesASatelliteThatWasStopped() throws Exception {
        try (ProgramProcess up = up("--satellites", "1")) {
            String ready = up.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + up.errors());
            long before = node(status(), "satellite-1").get("pid").asLong();
            assertEquals(
                    0,
                    new ProcessBuilder("kill", "-STOP", Long.toString(before))
                            .start()
                            .waitFor());
            Await.until("another engine that serves", () -> {
                JsonNode satellite = node(status(), "satellite-1");
                return satellite.get("pid").asLong() != before
                        && satellite.get("state").asText().equals("serving");
            });
            assertTrue(ProcessHandle.of(before).isEmpty(), "the stopped one is gone");
            try (Connection connection = connect(ready)) {
                assertEquals("1", ask(connection, "SELECT 1"));
            }
        }
    }

    @Test
    void enginesEndWithAKilledMiddlewareAndTheNextStartHasTheData() throws Exception {
        try (ProgramProcess up = up("--satellites", "1")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE kept (a int)");
                ask(connection, "INSERT INTO kept VALUES (7)");
            }
            up.kill();
            up.awaitExit();
        }
        try (ProgramProcess again = up("--satellites", "1")) {
            String ready = again.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + again.errors());
            try (Connection connection = connect(ready)) {
                assertEquals("7", ask(connection, "SELECT a FROM kept"));
            }
            again.terminate();
            assertEquals(0, again.awaitExit());
        }
        Await.until("the end of all engines", () -> enginesOf(home()).isEmpty());
    }

    @Test
    void goesToDiskWithAWarningWhereMemoryDoesNotSuffice() throws Exception {
        // No user, not even root, can make a directory there: it stands for a tmpfs of no size.
        Files.writeString(
                parent.resolve("test.toml"),
                "endpoint.listen = \"127.0.0.1:0\"\nmetrics.listen = \"off\"\nsatellites.memory_directory = \"/proc\"\n");
        try (ProgramProcess up = up("--satellites", "1")) {
            String ready = up.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + up.errors());
            assertTrue(up.errors().contains("goes to disk"), up.errors());
            assertTrue(Files.isDirectory(parent.resolve("home/satellites/satellite-1")));
        }
    }

    @Test
    void saysOnceWhyASatelliteDoesNotStart() throws Exception {
        Files.writeString(parent.resolve("test.toml"), """
                endpoint.listen = '127.0.0.1:0'
                metrics.listen = 'off'
                nodes.satellite.settings.shared_preload_libraries = 'not_there'
                """);
        try (ProgramProcess up = up("--satellites", "1")) {
            assertTrue(up.awaitLine().endsWith("satellites=0"), up.errors());
            // The start of the Satellite has failed twice by now.
            List<String> told =
                    up.errors().lines().filter(line -> line.contains("warning")).toList();
            assertEquals(1, told.size(), up.errors());
            assertTrue(told.getFirst().contains("could not access file \"not_there\""), up.errors());
            assertTrue(
                    told.getFirst()
                            .contains(parent.resolve("home/log/satellite-1.log").toString()),
                    told.toString());
            Await.until(
                    "the reason in status",
                    () -> MULTIMED.run(0, "status", "--dir", home()).contains("not_there"));
        }
    }

    @Test
    void tellsThatItIsEndingWhileTransactionsFinish() throws Exception {
        Files.writeString(
                parent.resolve("test.toml"),
                "endpoint.listen = '127.0.0.1:0'\nmetrics.listen = 'off'\nshutdown.drain = '5min'\n");
        try (ProgramProcess up = up("--satellites", "0")) {
            try (Connection connection = connect(up.awaitLine())) {
                connection.setAutoCommit(false);
                ask(connection, "CREATE TABLE kept (a int)");
                assertFalse(status().get("ending").asBoolean());
                up.interrupt();
                Await.until("its end", () -> up.errors().contains("ending: waiting for transactions"));
                assertTrue(status().get("ending").asBoolean());
                assertTrue(MULTIMED.run(0, "status", "--dir", home()).contains("   ending: transactions"));
                // The command down sends this request before it waits for the end of that process.
                Home home = Home.of(parent.resolve("home"));
                assertEquals(
                        Long.toString(up.pid()),
                        ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.DOWN));
                connection.commit();
            }
            assertEquals(0, up.awaitExit());
        }
    }

    /** The parent does not ask for the status, as in a container without an init. */
    @Test
    @Timeout(120)
    void downReturnsAlthoughNobodyAsksHowItHasEnded() throws Exception {
        try (ProgramProcess parent = MULTIMED.startWithNegligentParent(
                "up",
                "--dir",
                home(),
                "--satellites",
                "1",
                "--config",
                this.parent.resolve("test.toml").toString())) {
            parent.awaitLine();
            MULTIMED.run(0, "down", "--dir", home());
            MULTIMED.run(1, "status", "--dir", home());
        }
    }

    @Test
    void noSatelliteIsShownAheadOfTheMaster() throws Exception {
        try (ProgramProcess up = up("--satellites", "1")) {
            try (Connection connection = connect(up.awaitLine())) {
                // This writes log that is no commit.
                ask(connection, "SELECT pg_switch_wal()");
            }
            Await.until("the log's end on the satellite", () -> {
                JsonNode status = status();
                long applied = node(status, "satellite-1").get("applied").asLong();
                assertTrue(applied <= node(status, "master").get("applied").asLong(), status.toString());
                return applied > status.get("scn").asLong();
            });
        }
    }

    @Test
    void readsItsConfigurationAgainWhenToldSo() throws Exception {
        Path configuration = parent.resolve("test.toml");
        String text = Files.readString(configuration);
        try (ProgramProcess up = up("--satellites", "0")) {
            String ready = up.awaitLine();
            Files.writeString(configuration, text.replace("[metrics]", "max_clients = 5\n[metrics]"));
            assertEquals(
                    "changed endpoint.max_clients: 10000 -> 5",
                    MULTIMED.run(0, "reload", "--dir", home()).strip());
            Files.writeString(configuration, text + "[nonsense]\n");
            assertEquals("", MULTIMED.run(1, "reload", "--dir", home()));
            up.signal("HUP");
            Await.until("the refusal", () -> up.errors().contains("not reloaded: "));
            Files.writeString(configuration, text);
            up.signal("HUP");
            Await.until("the reload", () -> up.errors().contains("reloaded: changed endpoint.max_clients: 5 -> 10000"));
            try (Connection connection = connect(ready)) {
                assertEquals("1", ask(connection, "SELECT 1"));
            }
            up.terminate();
            assertEquals(0, up.awaitExit());
        }
    }

    /** Sends the signal twice, as an impatient user would. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void leavesNothingWhenItIsEndedBeforeAnythingCanHaveBeenCommitted(String signal) throws Exception {
        try (ProgramProcess up = up("--satellites", "1")) {
            Await.until("the start", () -> up.errors().contains("making a new database cluster"));
            up.signal(signal);
            up.signal(signal);
            assertEquals(0, up.awaitExit(), up.errors());
            assertEquals("", up.printed());
        }
        assertEquals(List.of(), enginesOf(home()));
        assertFalse(Files.exists(parent.resolve("home")), "half-created");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void endsInOrderWhileASatelliteIsCopied(String signal) throws Exception {
        try (ProgramProcess up = up("--satellites", "2")) {
            Await.until("a copy", () -> up.errors().contains("copying to satellite"));
            up.signal(signal);
            up.signal(signal);
            assertEquals(0, up.awaitExit(), up.errors());
        }
        assertEquals(List.of(), enginesOf(home()));
        assertFalse(Files.exists(Home.of(parent.resolve("home")).memoryRoot(Path.of("/dev/shm"))));
        assertFalse(Files.exists(parent.resolve("home/data/postmaster.pid")), "the master's own end");
    }

    @Test
    void servesOnIpv6() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "there is none here");
        try (ProgramProcess up = up("--satellites", "0", "--listen", "[::1]:0")) {
            String ready = up.awaitLine();
            assertTrue(ready.startsWith("ready postgresql://[::1]:"), ready);
            try (Connection connection = connect(ready)) {
                assertEquals("1", ask(connection, "SELECT 1"));
            }
            String answer = MULTIMED.run(0, "sql", "--dir", home(), "--built-in", "-c", "SELECT 4711 AS number");
            assertTrue(answer.contains("4711"), answer);
        }
    }

    @Test
    void keepsAnEnginesLogBoundedWhileTheEngineRuns() throws Exception {
        try (ProgramProcess up = up("--satellites", "0")) {
            try (Connection connection = connect(up.awaitLine())) {
                ask(
                        connection,
                        "DO $$ BEGIN FOR i IN 1..20 LOOP RAISE LOG '%', repeat('x', 1000000); END LOOP; END $$");
            }
            Path log = parent.resolve("home/log/master.log");
            Await.until("a smaller log", () -> Files.size(log) < 16_000_000);
            Path older = parent.resolve("home/log/master.log.1");
            assertTrue(Files.size(older) + Files.size(log) >= 20_000_000, "nothing is lost");
        }
    }

    @Test
    void answersPrometheus() throws Exception {
        int port = freePort();
        Files.writeString(
                parent.resolve("test.toml"),
                "endpoint.listen = \"127.0.0.1:0\"\nmetrics.listen = \"127.0.0.1:" + port + "\"\n");
        try (ProgramProcess up = up("--satellites", "0")) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready)) {
                assertEquals("1", ask(connection, "SELECT 1"));
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .build();
            String text = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            assertTrue(text.contains("multimed_node_serving{node=\"master\",role=\"master\"} 1"), text);
            for (String metric : List.of(
                    "multimed_floor_scn ",
                    "multimed_clients ",
                    "multimed_routes_total{reason=\"no_satellite\"}",
                    "multimed_freshness_wait_seconds_count ",
                    "multimed_pool_connections{node=\"master\",state=\"open\"}",
                    "multimed_node_lag_seconds{")) {
                assertTrue(text.contains("\n" + metric), metric + " in " + text);
            }
        }
    }

    private static int freePort() throws Exception {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Returns the command lines of processes that name this directory. */
    private static List<String> enginesOf(String home) {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(home) && line.contains("postgres"))
                .toList();
    }
}
