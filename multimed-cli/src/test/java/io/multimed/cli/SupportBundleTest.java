package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The archive for others has what they need, and none of the secrets of an instance. */
@Tag("slow")
@Timeout(120)
class SupportBundleTest {
    /** Every secret and every value of the instance has this in it. */
    private static final String SECRET = "h1dden";

    private TestDirectory parent;

    @BeforeEach
    void makeDirectory() throws Exception {
        parent = new TestDirectory();
        Files.writeString(parent.resolve("test.toml"), """
                # h1dden
                [endpoint]
                listen = "127.0.0.1:0"
                [metrics]
                listen = "off"
                [log]
                slow = "1us"
                literals = true
                [nodes.master.settings]
                "app.api_token" = "h1dden"
                "app.note" = "password=h1dden"
                [nodes.satellite.settings]
                "app.api_token" = "h1dden"
                """);
    }

    @AfterEach
    void removeDirectory() throws Exception {
        parent.close();
    }

    private Map<String, String> bundle(Path output) throws Exception {
        String printed = MULTIMED.run(
                0,
                "support-bundle",
                "--dir",
                parent.resolve("home").toString(),
                "--config",
                parent.resolve("test.toml").toString(),
                "--output",
                output.toString());
        assertEquals(output.toAbsolutePath().toString(), printed.strip());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(output)));
        Map<String, String> files = new TreeMap<>();
        try (ZipFile zip = new ZipFile(output.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (InputStream in = zip.getInputStream(entry)) {
                    files.put(
                            entry.getName().replaceFirst("^multimed-support/", ""),
                            new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return files;
    }

    private static void fail(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException expected) {
            return;
        }
        throw new AssertionError(sql);
    }

    @Test
    void ofARunningInstance() throws Exception {
        try (ProgramProcess up = MULTIMED.start(
                "up",
                "--dir",
                parent.resolve("home").toString(),
                "--config",
                parent.resolve("test.toml").toString(),
                "--satellites",
                "1")) {
            String ready = up.awaitLine();
            try (Connection connection = DriverManager.getConnection("jdbc:" + ready.split(" ")[1], "postgres", "");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE goods (id int PRIMARY KEY, name text UNIQUE)");
                statement.execute("CREATE ROLE bob PASSWORD 'h1dden'");
                statement.execute("INSERT INTO goods VALUES (1, 'h1dden')");
                fail(statement, "INSERT INTO goods VALUES (2, 'h1dden')");
                fail(statement, "ALTER ROLE nobody_here PASSWORD 'h1dden'");
                fail(statement, "SELECT 'h1dden'::int");
                fail(statement, "SELECT 'h1dden' FROM nothing_there");
                statement.execute("SELECT count(*) FROM goods WHERE name = 'h1dden'");
            }
            Map<String, String> files = bundle(parent.resolve("bundle.zip"));
            files.forEach((name, text) -> assertFalse(text.contains(SECRET), name + "\n" + text));
            String logs = Files.readString(parent.resolve("home/log/master.log"))
                    + Files.readString(parent.resolve("home/log/multimed.log"));
            assertTrue(logs.contains(SECRET), "the test would see nothing");

            for (String name : List.of(
                    "versions.txt",
                    "doctor.txt",
                    "status.json",
                    "configuration.txt",
                    "metrics.txt",
                    "threads.txt",
                    "java.txt",
                    "system-model.toml",
                    "log/multimed.log",
                    "log/master.log",
                    "log/satellite-1.log",
                    "show/nodes.txt",
                    "show/pools.txt",
                    "show/routes.txt")) {
                assertFalse(files.getOrDefault(name, "").isBlank(), name + " in " + files.keySet());
            }
            assertTrue(files.containsKey("show/clients.txt"));
            assertTrue(files.get("log/multimed.log").contains("goods"), files.get("log/multimed.log"));
            assertTrue(files.get("log/multimed.log").contains("nothing_there"), files.get("log/multimed.log"));
            assertTrue(files.get("configuration.txt").contains("\nlog.literals = true\n"));
            assertTrue(files.get("metrics.txt").contains("multimed_node_serving{node=\"master\""));
            assertTrue(files.get("threads.txt").contains("\"multimed-loop-1\""));
        }
    }

    @Test
    void ofAnInstanceThatDoesNotRun() throws Exception {
        Map<String, String> files = bundle(parent.resolve("bundle.zip"));
        assertTrue(files.get("not-running.txt").contains("no Multimed runs on"));
        assertTrue(files.containsKey("doctor.txt"));
        files.forEach((name, text) -> assertFalse(text.contains(SECRET), name + "\n" + text));
        try (ProgramProcess again = MULTIMED.start(
                "support-bundle", "--output", parent.resolve("bundle.zip").toString())) {
            assertEquals(1, again.awaitExit());
        }
    }
}
