package io.multimed.tests.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.process.TestDirectory;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps of docs/operations.md for backups: a base backup and an archive of the log, and new instances from them. */
@Tag("slow")
@Timeout(300)
class BackupTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final String CONTENT =
            "SELECT count(*) || ' ' || coalesce(sum(hashtext(a.id || a.text)), 0) FROM a JOIN b USING (id)";

    private static String more() {
        return System.getProperty("multimed.test.engine-bin", "").isEmpty()
                ? "[engine]\nbin = \"" + PROGRAMS + "\"\n"
                : "";
    }

    private static WireSession open(ServerAddress server) throws IOException {
        return WireSession.open(server, "postgres", "postgres", PATIENCE);
    }

    /** Runs a program as the user of the engines. */
    private static Process start(String program, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(Path.of("/").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder.start();
    }

    private static void run(String program, String... options) throws IOException, InterruptedException {
        Process process = start(program, options);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    private static String[] to(ServerAddress server, String... options) {
        List<String> all = new ArrayList<>(
                List.of("--host=127.0.0.1", "--port=" + server.port(), "--username=postgres", "--no-password"));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    private static Path create(TestDirectory place, String name) throws IOException {
        Path created = Files.createDirectory(place.resolve(name));
        Files.setPosixFilePermissions(created, PosixFilePermissions.fromString("rwxrwxrwx"));
        return created;
    }

    private static void write(WireSession session, int id) throws IOException {
        session.rows("BEGIN");
        session.rows("INSERT INTO a SELECT " + id + ", repeat(md5('" + id + "'), 20)");
        session.rows("INSERT INTO b VALUES (" + id + ")");
        session.rows("COMMIT");
    }

    @Test
    void backedUpUnderLoadAndRestored() throws Exception {
        assumeTrue(Files.isExecutable(PROGRAMS.resolve("pg_basebackup")), "pg_basebackup is not installed");
        try (RunningMultimed multimed = RunningMultimed.start(1, more());
                TestDirectory place = new TestDirectory();
                WireSession session = open(multimed.address())) {
            Path fromBackup = create(place, "from-backup");
            Path fromArchive = create(place, "from-archive");
            Path archive = create(place, "archive");
            session.rows("CREATE TABLE a (id int PRIMARY KEY, text text)");
            session.rows("CREATE TABLE b (id int PRIMARY KEY)");
            Process receiver = start(
                    "pg_receivewal", to(multimed.address(), "--directory=" + archive, "--no-loop", "--synchronous"));
            long acknowledgedBefore;
            AtomicBoolean going = new AtomicBoolean(true);
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
                try (WireSession writing = open(multimed.address())) {
                    int id = 0;
                    while (going.get()) {
                        write(writing, id);
                        id++;
                    }
                    return id;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try {
                RunningMultimed.await(() -> count(session) > 100, "rows");
                acknowledgedBefore = count(session);
                run(
                        "pg_basebackup",
                        to(
                                multimed.address(),
                                "--pgdata=" + fromBackup.resolve("home"),
                                "--checkpoint=fast",
                                "--wal-method=stream"));
                run(
                        "pg_basebackup",
                        to(
                                multimed.address(),
                                "--pgdata=" + fromArchive.resolve("home"),
                                "--checkpoint=fast",
                                "--wal-method=none"));
                long after = count(session);
                RunningMultimed.await(() -> count(session) > after + 100, "rows after the backups");
            } finally {
                going.set(false);
            }
            int written = writer.get(60, TimeUnit.SECONDS);
            String content = session.value(CONTENT);
            String last = session.value("SELECT pg_walfile_name(pg_current_wal_lsn())");
            session.rows("SELECT pg_switch_wal()");
            RunningMultimed.await(() -> Files.exists(archive.resolve(last)), "archived: " + last);
            receiver.destroy();
            receiver.waitFor();

            try (RunningMultimed restored = RunningMultimed.start(1, fromBackup, more());
                    WireSession reader = open(restored.address())) {
                long rows = count(reader);
                assertTrue(rows >= acknowledgedBefore && rows < written, rows + " of " + written);
                assertEquals(reader.value("SELECT count(*) FROM b"), Long.toString(rows));
                assertTrue(reader.value("SHOW multimed.route").startsWith("satellite-1:"));
                write(reader, written);
                assertEquals(Long.toString(rows + 1), reader.value("SELECT count(*) FROM b"));
            }

            recover(fromArchive.resolve("home"), archive, fromArchive);
            try (RunningMultimed restored = RunningMultimed.start(1, fromArchive, more());
                    WireSession reader = open(restored.address())) {
                assertEquals(content, reader.value(CONTENT));
                assertEquals(Integer.toString(written), reader.value("SELECT count(*) FROM a"));
                restored.awaitSatellites("postgres");
                try (WireSession satellite = open(restored.satellite(0))) {
                    assertEquals(content, satellite.value(CONTENT));
                }
            }
        }
    }

    private static long count(WireSession session) {
        try {
            return Long.parseLong(session.value("SELECT count(*) FROM a"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets PostgreSQL itself end the recovery from the archive. */
    private static void recover(Path data, Path archive, Path sockets) throws IOException, InterruptedException {
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "restore_command = 'cp " + archive + "/%f %p'\n",
                StandardOpenOption.APPEND);
        Files.createFile(data.resolve("recovery.signal"));
        run(
                "pg_ctl",
                "--pgdata=" + data,
                "--log=" + sockets.resolve("recovery.log"),
                "--wait",
                "--options=-c listen_addresses='' -c hot_standby=off -c unix_socket_directories=" + sockets,
                "start");
        ServerAddress server = ServerAddress.of(sockets.toString(), 5432);
        RunningMultimed.await(
                () -> {
                    try (WireSession session = open(server)) {
                        return session.value("SELECT pg_is_in_recovery()").equals("f");
                    } catch (IOException notYet) {
                        return false;
                    }
                },
                "end of the recovery");
        run("pg_ctl", "--pgdata=" + data, "--wait", "stop");
    }
}
