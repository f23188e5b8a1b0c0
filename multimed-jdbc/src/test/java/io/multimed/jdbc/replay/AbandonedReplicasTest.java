package io.multimed.jdbc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the next process removes replica files left by a killed process, and keeps those of living processes. */
@Tag("slow")
class AbandonedReplicasTest {
    @TempDir
    private Path directory;

    /** An application that waits for a line of input before each of its reads. */
    public static final class Application {
        public static void main(String[] arguments) throws Exception {
            try (Connection connection = DriverManager.getConnection(arguments[0]);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS t(a INT)");
                do {
                    statement.executeQuery("SELECT COUNT(*) FROM t").close();
                    try (var route = statement.executeQuery("SHOW multimed.route")) {
                        route.next();
                        System.out.println(route.getString(1));
                    }
                } while (System.in.read() >= 0);
            }
        }
    }

    private Process start(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary(),
                        "-Dorg.sqlite.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName(),
                        "jdbc:multimed:sqlite:" + directory.resolve(name) + ";replicas=2;propagation=statements")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(directory.resolve("tmp"));
    }

    private Set<Path> places() throws IOException {
        try (Stream<Path> all = Files.list(temporary())) {
            return all.filter(path -> path.getFileName().toString().startsWith("multimed"))
                    .collect(Collectors.toSet());
        }
    }

    private static String said(BufferedReader output) throws IOException {
        return String.valueOf(output.readLine());
    }

    @Test
    void areRemovedByTheNextProcessIfTheirOwnHasEnded() throws Exception {
        Process living = start("living");
        Process killed = null;
        Process next = null;
        try {
            BufferedReader livingSays = living.inputReader();
            assertTrue(said(livingSays).startsWith("satellite"));
            Set<Path> ofLiving = places();
            killed = start("killed");
            assertTrue(said(killed.inputReader()).startsWith("satellite"));
            Set<Path> ofKilled = places();
            ofKilled.removeAll(ofLiving);
            assertFalse(ofKilled.isEmpty());
            for (Path place : ofKilled) {
                assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)));
            }
            killed.destroyForcibly();
            assertTrue(killed.waitFor(60, TimeUnit.SECONDS));
            assertTrue(places().containsAll(ofKilled), "nobody had time to remove them");

            next = start("next");
            assertTrue(said(next.inputReader()).startsWith("satellite"));
            Set<Path> left = places();
            assertTrue(left.containsAll(ofLiving), left::toString);
            assertTrue(ofKilled.stream().noneMatch(left::contains), left::toString);
            living.getOutputStream().write('\n');
            living.getOutputStream().flush();
            assertTrue(said(livingSays).startsWith("satellite"));
        } finally {
            for (Process process :
                    Stream.of(living, killed, next).filter(p -> p != null).toList()) {
                process.getOutputStream().close();
                process.waitFor(60, TimeUnit.SECONDS);
                process.destroyForcibly();
            }
        }
        assertEquals(Set.of(), places());
    }

    /** A directory of another program with a similar name has no lock file. */
    @Test
    void nothingElseIsRemoved() throws Exception {
        List<Path> others = List.of(
                Files.createDirectory(temporary().resolve("multimed-1-2-3")),
                Files.createDirectory(temporary().resolve("multimed-1234")),
                Files.createDirectory(temporary().resolve("else")));
        Path linked = Files.createDirectory(directory.resolve("multimed-4-5-6"));
        Files.createFile(linked.resolve("owner"));
        Files.createSymbolicLink(temporary().resolve("multimed-4-5-6"), linked);
        AbandonedPlaces.remove(temporary());
        for (Path other : others) {
            assertTrue(Files.exists(other), other::toString);
        }
        assertTrue(Files.exists(linked.resolve("owner")));
    }
}
