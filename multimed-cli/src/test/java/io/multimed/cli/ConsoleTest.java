package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console of a running instance, as programs and a browser see it. */
@Tag("slow")
@Timeout(180)
class ConsoleTest {
    private TestDirectory parent;
    private int port;

    @BeforeEach
    void makeDirectory() throws Exception {
        parent = new TestDirectory();
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void removeDirectory() throws Exception {
        parent.close();
    }

    private ProgramProcess up(String metrics, int satellites) throws Exception {
        Path config = Files.writeString(
                parent.resolve("test.toml"),
                "endpoint.listen = '127.0.0.1:0'\n[metrics]\nlisten = '127.0.0.1:" + port + "'\nconsole = true\n"
                        + metrics);
        return MULTIMED.start(
                "up",
                "--dir",
                parent.resolve("home").toString(),
                "--config",
                config.toString(),
                "--satellites",
                Integer.toString(satellites));
    }

    private static Connection connect(String ready) throws SQLException {
        return DriverManager.getConnection("jdbc:" + ready.split(" ")[1], "postgres", "");
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private JsonNode data() throws Exception {
        HttpResponse<String> answer = get("/console/data.json");
        assertEquals(200, answer.statusCode());
        return new ObjectMapper().readTree(answer.body());
    }

    private static void work(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE IF NOT EXISTS goods (id int, name text)");
        statement.execute("INSERT INTO goods VALUES (1, 'secret')");
        for (int i = 0; i < 20; i++) {
            statement.execute("SELECT name FROM goods WHERE id = " + i);
        }
    }

    @Test
    void tellsOfNodesStatementsRoutesAndEvents() throws Exception {
        try (ProgramProcess up = up("", 1);
                Connection connection = connect(up.awaitLine());
                Statement statement = connection.createStatement()) {
            work(statement);
            Await.until(
                    "a step of the history", () -> data().required("samples").size() > 0);
            JsonNode data = data();
            assertEquals(2, data.required("nodes").size());
            assertEquals("master", data.at("/nodes/0/name").asText());
            assertEquals("serving", data.at("/nodes/1/state").asText());
            assertEquals(1, data.required("clients").asInt());
            assertEquals("master", data.at("/names/0").asText());
            JsonNode sample = data.at("/samples/0");
            assertEquals(2, sample.required(3).size());
            JsonNode read = shape(data, "SELECT name FROM goods WHERE id = ?");
            assertEquals(20, read.required("count").asInt());
            assertEquals(0, read.required("failed").asInt());
            assertTrue(read.required("total_ms").asDouble() > 0, read::toString);
            assertFalse(read.required("shape").asText().isEmpty());
            assertTrue(read.required("places").properties().stream()
                    .anyMatch(place -> place.getKey().equals("satellite-1: read on a fresh satellite")));
            JsonNode write = shape(data, "INSERT INTO goods VALUES (?, ?)");
            assertEquals(1, write.required("count").asInt(), write::toString);
            assertTrue(
                    write.required("places").properties().stream()
                            .allMatch(place -> place.getKey().startsWith("master: ")),
                    write::toString);
            assertTrue(data.required("events").size() > 0);
            assertTrue(data.required("routes_table").size() > 0);
            assertFalse(data.toString().contains("secret"), data::toString);
            long last = data.at("/samples/" + (data.required("samples").size() - 1) + "/0")
                    .asLong();
            assertEquals(
                    0,
                    new ObjectMapper()
                            .readTree(get("/console/data.json?after=" + (last + 1_000_000))
                                    .body())
                            .required("samples")
                            .size());
        }
    }

    private static JsonNode shape(JsonNode data, String text) {
        for (JsonNode shape : data.required("shapes")) {
            if (shape.required("text").asText().equals(text)) {
                return shape;
            }
        }
        throw new AssertionError(text + " is not in " + data.required("shapes"));
    }

    @Test
    void isReadOnlyAndForThisMachineAlone() throws Exception {
        try (ProgramProcess up = up("", 0)) {
            up.awaitLine();
            for (String path : List.of(
                    "/",
                    "/console",
                    "/console/console.js",
                    "/console/console.css",
                    "/console/uplot.js",
                    "/console/uplot.css")) {
                HttpResponse<String> answer = get(path);
                assertEquals(200, answer.statusCode(), path);
                assertTrue(answer.headers()
                        .firstValue("Content-Security-Policy")
                        .orElse("")
                        .contains("default-src 'none'"));
                assertFalse(
                        answer.body().replace("http://www.w3.org/", "").matches("(?s).*(src|href)=\"?https?:.*"), path);
            }
            assertEquals(404, get("/console/other").statusCode());
            assertEquals(404, get("/console/../console.js").statusCode());
            assertEquals(200, get("/metrics").statusCode());
            assertTrue(raw("POST /console/data.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                    .startsWith("HTTP/1.1 405 "));
            assertTrue(raw("GET / HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n")
                    .startsWith("HTTP/1.1 200 "));
            // Another site's name that points to this machine
            assertTrue(raw("GET /console/data.json HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                    .startsWith("HTTP/1.1 403 "));
        }
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] begin = socket.getInputStream().readNBytes(20);
            return new String(begin, StandardCharsets.US_ASCII);
        }
    }

    @Test
    void asksForThePassword() throws Exception {
        Files.writeString(parent.resolve("console.password"), "open sesame\nmore\n");
        try (ProgramProcess up = up("password_file = 'console.password'\n", 0)) {
            up.awaitLine();
            assertEquals(401, get("/").statusCode());
            assertEquals(401, get("/metrics").statusCode());
            assertEquals(401, get("/", "Authorization", basic("multimed:wrong")).statusCode());
            assertEquals(
                    401, get("/", "Authorization", basic("other:open sesame")).statusCode());
            for (String path : List.of("/", "/console/data.json", "/metrics")) {
                assertEquals(
                        200,
                        get(path, "Authorization", basic("multimed:open sesame"))
                                .statusCode());
            }
        }
    }

    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void itsPortInUseStopsNothing() throws Exception {
        try (ServerSocket other = new ServerSocket(port);
                ProgramProcess up = up("", 0);
                Connection connection = connect(up.awaitLine());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            assertTrue(up.errors().contains("There are no metrics and no console: 127.0.0.1:" + other.getLocalPort()));
        }
    }

    @Test
    void aPasswordFileThatIsEmptyStopsNothing() throws Exception {
        Files.writeString(parent.resolve("console.password"), "\n");
        try (ProgramProcess up = up("password_file = 'console.password'\n", 0);
                Connection connection = connect(up.awaitLine());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            assertTrue(up.errors().contains("its first line is empty"), up::errors);
        }
    }

    /** The scripts run in a browser, if there is one, and fill the page. */
    @Test
    void aBrowserShowsIt() throws Exception {
        Optional<Path> chromium = Stream.of(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, "chromium"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(chromium.isPresent(), "no chromium");
        try (ProgramProcess up = up("", 1);
                Connection connection = connect(up.awaitLine());
                Statement statement = connection.createStatement()) {
            work(statement);
            Await.until(
                    "a step of the history", () -> data().required("samples").size() > 0);
            Path dom = parent.resolve("dom.html");
            Process browser = new ProcessBuilder(
                            chromium.get().toString(),
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--user-data-dir=" + parent.resolve("profile"),
                            "--virtual-time-budget=3000",
                            "--dump-dom",
                            "http://127.0.0.1:" + port + "/")
                    .redirectOutput(dom.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertTrue(browser.waitFor(60, TimeUnit.SECONDS), "the browser ends");
            String shown = Files.readString(dom);
            assertTrue(shown.contains("2 of 2 nodes serve"), shown);
            assertTrue(shown.contains("<code>SELECT name FROM goods WHERE id = ?</code>"), shown);
            assertTrue(shown.contains("satellite-1: read on a fresh satellite"), shown);
            assertEquals(4, shown.split("<canvas", -1).length - 1, "charts");
            assertTrue(shown.contains("aria-label=\"Transactions a second, now: master "), shown);
        }
    }
}
