package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An instance whose engines' directories are full. On file systems of a few hundred MB. */
@Tag("slow")
class FullStorageTest {
    private static final String SETTINGS = """
            endpoint.listen = '127.0.0.1:0'
            metrics.listen = 'off'
            shutdown.drain = '100ms'
            nodes.master.settings.max_wal_size = '32MB'
            """;

    private final List<Path> mounted = new ArrayList<>();
    private TestDirectory parent;
    private Path small;

    @BeforeEach
    void makeDirectory() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
        parent = new TestDirectory();
        small = Files.createDirectory(parent.resolve("small"));
    }

    @AfterEach
    void removeDirectory() throws Exception {
        for (Path place : mounted) {
            execute("umount", place.toString());
        }
        if (parent != null) {
            parent.close();
        }
    }

    @Test
    void aSatelliteThatRunsOutOfMemoryGoesToDiskAndNobodyNotices() throws Exception {
        mount(small, "240m");
        try (ProgramProcess up =
                up(parent.resolve("home"), "1", SETTINGS + "satellites.memory_directory = '" + small + "'\n")) {
            String ready = up.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + up.errors());
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE filled (line text)");
                fill();
                for (int i = 1; i <= 40 || !state(parent.resolve("home"), up).equals("serving"); i++) {
                    writeAndRead(connection, i);
                }
                assertTrue(up.errors().contains("satellite-1 does not fit into memory and goes to disk"), up.errors());
                assertTrue(up.errors().contains("of 240 MB are left in " + small + " (tmpfs)"), up.errors());
                assertTrue(Files.isDirectory(parent.resolve("home/satellites/satellite-1")));
                // The reason of a failure is reported when it happens, not again and again.
                long warnings = up.errors()
                        .lines()
                        .filter(line -> line.contains("warning"))
                        .count();
                assertTrue(warnings <= 4, up.errors());
            }
        }
    }

    @Test
    void aSatelliteThatHasNoRoomAnywhereIsDoneWithoutAndTheMasterServes() throws Exception {
        mount(small, "240m");
        Path disk = Files.createDirectory(parent.resolve("disk"));
        mount(disk, "240m");
        try (ProgramProcess up =
                up(disk.resolve("home"), "1", SETTINGS + "satellites.memory_directory = '" + small + "'\n")) {
            String ready = up.awaitLine();
            assertTrue(ready.endsWith("satellites=1"), ready + up.errors());
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE filled (line text)");
                fill();
                Path filler = Files.write(disk.resolve("filler"), new byte[60 << 20]);
                int written = 0;
                while (!state(disk.resolve("home"), up).equals("down")) {
                    writeAndRead(connection, ++written);
                }
                assertTrue(
                        up.errors().contains("needs ")
                                && up.errors().contains(" MB in " + disk.resolve("home/satellites")),
                        up.errors());
                writeAndRead(connection, ++written);
                // Once there is room again, the Satellite comes back without any other action.
                Files.delete(filler);
                Files.delete(small.resolve("filler"));
                Await.until("a satellite", () -> state(disk.resolve("home"), up).equals("serving"));
                writeAndRead(connection, ++written);
            }
        }
    }

    /** Writes a megabyte for the log and for the table; each is read back at once. */
    private static void writeAndRead(Connection connection, int turn) throws SQLException {
        ask(
                connection,
                "INSERT INTO filled SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 250),"
                        + " generate_series(1, 130) AS line GROUP BY line");
        assertEquals(Integer.toString(turn * 130), ask(connection, "SELECT count(*) FROM filled"));
    }

    /** Returns the state of its Satellite, once it has been away; until then an empty string. */
    private static String state(Path home, ProgramProcess up) throws Exception {
        if (!up.errors().contains("goes to disk")) {
            return "";
        }
        JsonNode status = new ObjectMapper().readTree(MULTIMED.run(0, "status", "--dir", home.toString(), "--json"));
        return status.get("nodes").get(1).get("state").asText();
    }

    @Test
    void whatWasAcknowledgedBeforeTheMastersDiskWasFullIsThereWhenThereIsRoomAgain() throws Exception {
        mount(small, "400m");
        Path home = small.resolve("home");
        try (ProgramProcess up = up(home, "0", SETTINGS)) {
            String ready = up.awaitLine();
            try (Connection connection = connect(ready)) {
                ask(connection, "CREATE TABLE kept (i int, line text)");
            }
            fill();
            int acknowledged = 0;
            SQLException refusal = null;
            try (Connection connection = connect(ready)) {
                while (refusal == null) {
                    try {
                        ask(
                                connection,
                                "INSERT INTO kept SELECT " + (acknowledged + 1)
                                        + ", string_agg(md5(random()::text), '') FROM generate_series(1, 30000)");
                        acknowledged++;
                    } catch (SQLException e) {
                        refusal = e;
                    }
                }
            }
            assertTrue(
                    Set.of("53100", "57P01", "57P02", "08006", "08007").contains(refusal.getSQLState()),
                    refusal.getSQLState() + ": " + refusal.getMessage());
            Files.delete(small.resolve("filler"));
            Await.until("a master that writes", () -> {
                try (Connection connection = connect(ready)) {
                    ask(connection, "CREATE TABLE again (i int)");
                    return true;
                } catch (SQLException e) {
                    return false;
                }
            });
            try (Connection connection = connect(ready)) {
                String kept = ask(connection, "SELECT count(*) FROM kept WHERE i <= " + acknowledged);
                assertEquals(Integer.toString(acknowledged), kept, "acknowledged rows");
            }
        }
    }

    @Test
    void aStartThatFindsNoRoomSaysSoAndLeavesNothing() throws Exception {
        mount(small, "12m");
        try (ProgramProcess up = up(small.resolve("home"), "0", SETTINGS)) {
            assertEquals(1, up.awaitExit());
            assertTrue(up.errors().contains("No space left on device"), up.errors());
            assertTrue(up.errors().lines().noneMatch(line -> line.contains("Exception")), up.errors());
        }
        assertEquals(0, small.toFile().list().length);
    }

    private ProgramProcess up(Path home, String satellites, String configuration) throws Exception {
        Path file = Files.writeString(parent.resolve("test.toml"), configuration);
        return MULTIMED.start("up", "--dir", home.toString(), "--config", file.toString(), "--satellites", satellites);
    }

    private static Connection connect(String ready) throws SQLException {
        return DriverManager.getConnection("jdbc:" + ready.split(" ")[1], "postgres", "");
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

    private void mount(Path place, String size) throws Exception {
        execute("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=755", "tmpfs", place.toString());
        mounted.add(place);
    }

    /** Fills the file system except for a few segments of log. */
    private void fill() throws IOException {
        byte[] block = new byte[1 << 20];
        try (OutputStream filler = Files.newOutputStream(small.resolve("filler"))) {
            while (Files.getFileStore(small).getUsableSpace() > 40L << 20) {
                filler.write(block);
            }
        }
    }

    private static void execute(String... command) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder(command).inheritIO().start().waitFor(),
                List.of(command).toString());
    }
}
