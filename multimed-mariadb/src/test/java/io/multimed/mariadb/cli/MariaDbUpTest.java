package io.multimed.mariadb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.JavaProgram;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import io.multimed.testkit.tls.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command as a process of its own, beside the commands that reach it. */
@Tag("slow")
@Timeout(180)
class MariaDbUpTest {
    private static final JavaProgram UP = new JavaProgram("io.multimed.mariadb.cli.MariaDbMain");
    private static final JavaProgram MULTIMED = new JavaProgram("io.multimed.cli.Main");

    private TestDirectory parent;
    private String home;

    @BeforeEach
    void make() throws Exception {
        parent = new TestDirectory();
        home = parent.resolve("home").toString();
    }

    @AfterEach
    void remove() throws Exception {
        parent.close();
    }

    private ProgramProcess up(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("up", "--engine", "mariadb", "--dir", home));
        arguments.addAll(List.of("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--satellites", "1"));
        arguments.addAll(List.of(more));
        return UP.start(arguments.toArray(String[]::new));
    }

    private static void connectTo(String ready, TestCertificate expected) throws Exception {
        connect(ready + "?sslMode=verify-ca&serverSslCert=" + expected.certificate())
                .close();
    }

    private static Connection connect(String ready) throws Exception {
        assertTrue(ready.matches("ready mysql://127\\.0\\.0\\.1:\\d+/ satellites=1(\\?.*)?"), ready);
        String port = ready.replaceAll(".*:(\\d+)/.*", "$1");
        String options = ready.contains("?") ? ready.substring(ready.indexOf('?')) + "&user=root" : "?user=root";
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/" + options);
    }

    @Test
    void servesShowsItsStatusEndsAndFindsItsDataAgain() throws Exception {
        try (ProgramProcess up = up()) {
            String ready = up.awaitLine();
            try (Connection client = connect(ready);
                    Statement statement = client.createStatement()) {
                statement.execute("CREATE DATABASE shop");
                statement.execute("CREATE TABLE shop.item (id INT PRIMARY KEY)");
                statement.execute("INSERT INTO shop.item VALUES (7)");
                assertEquals(List.of("master: may write"), shown(statement.executeQuery("SHOW multimed.route"), 1));
                for (boolean onServer : new boolean[] {false, true}) {
                    try (Connection other = connect(ready + "?useServerPrepStmts=" + onServer);
                            PreparedStatement nodes = other.prepareStatement("SHOW MULTIMED NODES")) {
                        assertEquals(List.of("master", "satellite-1"), shown(nodes.executeQuery(), 1));
                        assertEquals("3", shown(nodes.executeQuery(), 8).getFirst());
                    }
                }
            }
            assertWatched(up);
            String status = MULTIMED.run(0, "status", "--dir", home);
            assertTrue(status.startsWith("mysql://127.0.0.1:"), status);
            assertTrue(status.contains("   scn 3\n"), status);
            assertTrue(status.matches("(?s).*\nmaster +serving .*\nsatellite-1 +serving .*--socket=/.*"), status);
            assertReloads(up, ready);
            MULTIMED.run(0, "down", "--dir", home);
            assertEquals(0, up.awaitExit());
        }
        try (TestCertificate first = TestCertificate.make("-keyalg", "EC");
                TestCertificate second = TestCertificate.make("-keyalg", "EC");
                ProgramProcess up = up(
                        "--tls-cert",
                        first.certificate().toString(),
                        "--tls-key",
                        first.key().toString())) {
            String ready = up.awaitLine();
            try (Connection client = connect(ready);
                    Statement statement = client.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM shop.item")) {
                row.next();
                assertEquals(7, row.getInt(1));
            }
            connectTo(ready, first);
            Files.copy(second.certificate(), first.certificate(), StandardCopyOption.REPLACE_EXISTING);
            MULTIMED.run(1, "reload", "--dir", home);
            Files.copy(second.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
            MULTIMED.run(0, "reload", "--dir", home);
            connectTo(ready, second);
            up.signal("TERM");
            assertEquals(0, up.awaitExit());
        }
    }

    /** Returns the texts of one column, and closes the result. */
    private static List<String> shown(ResultSet result, int column) throws Exception {
        try (result) {
            List<String> texts = new ArrayList<>();
            while (result.next()) {
                texts.add(result.getString(column));
            }
            return texts;
        }
    }

    private void assertReloads(ProgramProcess up, String ready) throws Exception {
        Path file = Path.of(home, "multimed.toml");
        Files.writeString(file, "[reads]\nfreshness = \"weak\"\n");
        MULTIMED.run(1, "reload", "--dir", home);
        Files.writeString(file, "[reads]\nfreshness = \"session\"\n[nodes.master.settings]\nlong_query_time = 5\n");
        assertEquals(
                List.of(
                        "changed reads.freshness: strong -> session",
                        "needs a restart nodes.master.settings.long_query_time: (none) -> 5"),
                MULTIMED.run(0, "reload", "--dir", home).lines().toList());
        try (Connection client = connect(ready);
                Statement statement = client.createStatement()) {
            assertEquals(List.of("session"), shown(statement.executeQuery("SHOW multimed.freshness"), 1));
        }
        Files.writeString(file, "[reads]\npatience = \"1s\"\n");
        up.signal("HUP");
        Await.until(
                "the reload by SIGHUP", () -> up.errors().contains("reloaded: changed reads.patience: 200ms -> 1s"));
    }

    private static void assertWatched(ProgramProcess up) throws Exception {
        String address = up.errors().replaceAll("(?s).*metrics are at (http://\\S+)\n.*", "$1");
        String text;
        try (HttpClient client = HttpClient.newHttpClient()) {
            text = client.send(
                            HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
        for (String line : new String[] {
            "multimed_node_serving{node=\"satellite-1\",role=\"satellite\"} 1.0",
            "multimed_node_state{node=\"master\",role=\"master\",state=\"serving\"} 1.0",
            "multimed_node_copies_total{node=\"satellite-1\"} 1.0",
            "multimed_node_applied_scn{node=\"master\",role=\"master\"} 3.0",
            "multimed_node_transactions_total{node=\"master\",role=\"master\"} ",
            "multimed_floor_scn 3.0",
            "multimed_routes_total{reason=\"update\"} 3.0",
            "multimed_pool_connections{node=\"satellite-1\",state=\"open\"} "
        }) {
            assertTrue(text.contains("\n" + line), () -> line + " is not among\n" + text);
        }
    }

    @Test
    void refusesMistakesBeforeAnythingIsMade() throws Exception {
        for (String[] arguments : new String[][] {
            {"up", "--engine", "oracle", "--dir", home},
            {"up", "--dir", home, "--listen", "nonsense"},
            {"up", "--dir", home, "--listen", "0.0.0.0:7306"},
            {"up", "--dir", home, "--metrics", "nonsense"},
            {"up", "--dir", home, "--tls-cert", "server.crt"},
            {"up", "--dir", home, "--tls-cert", "server.crt", "--tls-key", "server.key"},
            {"up", "--dir", home, "--satellites", "1000"}
        }) {
            try (ProgramProcess up = UP.start(arguments)) {
                assertTrue(up.awaitExit() > 0, String.join(" ", arguments));
                assertTrue(up.errors().startsWith("multimed: "), up.errors());
            }
        }
        assertTrue(Files.notExists(Path.of(home)));
    }
}
