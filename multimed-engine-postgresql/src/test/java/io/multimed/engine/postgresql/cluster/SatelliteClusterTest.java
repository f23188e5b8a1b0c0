package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.WriteFence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Satellites that the Master itself feeds; the relay has tests of its own. */
@Tag("slow")
class SatelliteClusterTest extends EngineDirectories {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final AtomicLong available = new AtomicLong(Long.MAX_VALUE);
    private TestMaster master;
    private SatelliteCluster satellite;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @AfterEach
    void endEngines() {
        if (satellite != null) {
            satellite.kill();
        }
        if (master != null) {
            master.close();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void copiesAMasterThatIsWrittenTo(EngineBinaries binaries) throws Exception {
        master = TestMaster.start(temp, binaries);
        Path outside = temp.resolve("tablespace");
        TestEngines.user().privateDirectory(outside);
        master.execute("CREATE TABLESPACE elsewhere LOCATION '" + outside + "'");
        master.execute("ALTER SYSTEM SET search_path = public, 'it''s'");
        master.execute("ALTER SYSTEM SET archive_command = 'false'");
        master.execute("SELECT pg_reload_conf()");
        master.execute(
                "CREATE TABLE a AS SELECT g AS id, repeat('x', 200) AS filler, 0 AS n FROM generate_series(1, 50000) g");
        master.execute("ALTER TABLE a ADD PRIMARY KEY (id)");
        master.execute("CREATE TABLE b TABLESPACE elsewhere AS SELECT * FROM a");
        master.execute("CREATE UNLOGGED TABLE u AS SELECT * FROM a");
        AtomicBoolean loaded = new AtomicBoolean(true);
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> write(loaded));
        satellite = satellite(memory.resolve("satellite-1"), true);
        assertFalse(satellite.hasData());
        AtomicLong last = new AtomicLong();
        AtomicLong most = new AtomicLong();
        satellite.copyFromMaster((copied, total) -> {
            last.set(copied);
            most.set(total);
        });
        assertTrue(last.get() > 20 << 20, "copied " + last);
        assertTrue(last.get() <= most.get());
        satellite.start(() -> {});
        loaded.set(false);
        load.get(30, TimeUnit.SECONDS);
        master.awaitReplay(satellite.address());
        for (String table : List.of("a", "b", "made_meanwhile")) {
            String query = "SELECT count(*) || ' ' || sum(hashtext(t::text)) FROM " + table + " t";
            assertEquals(master.text(query), master.textAt(satellite.address(), query), table);
        }
        assertEquals("public, \"it's\"", master.textAt(satellite.address(), "SHOW search_path"));
        assertEquals("t", master.textAt(satellite.address(), "SELECT pg_is_in_recovery()"));
        assertEquals(
                memory.resolve("satellite-1.tablespaces").toString(),
                Path.of(master.textAt(
                                satellite.address(),
                                "SELECT pg_tablespace_location(oid) FROM pg_tablespace WHERE spcname = 'elsewhere'"))
                        .getParent()
                        .toString());
        // The rows of an unlogged table are on the Master alone.
        Path unlogged = memory.resolve("satellite-1")
                .resolve(master.textAt(satellite.address(), "SELECT pg_relation_filepath('u')"));
        assertFalse(Files.exists(unlogged));
        assertTrue(Files.exists(unlogged.resolveSibling(unlogged.getFileName() + "_init")));
        assertFalse(Files.exists(master.cluster().dataDirectory().resolve("backup_label")));
    }

    @Test
    void resumesFromItsDataAndIsToldOfItsEnd() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        master.execute("CREATE TABLE t AS SELECT 1 AS n");
        satellite = satellite(temp.resolve("disk/satellite-1"), false);
        satellite.copyFromMaster(CopyProgress.SILENT);
        CompletableFuture<Void> first = new CompletableFuture<>();
        satellite.start(() -> first.complete(null));
        assertTrue(satellite.pid() > 0);
        satellite.stop(GRACE);
        first.get(30, TimeUnit.SECONDS);
        assertEquals(0, satellite.pid());
        assertTrue(satellite.hasData());

        master.execute("INSERT INTO t VALUES (2)");
        CompletableFuture<Void> second = new CompletableFuture<>();
        // Any process number may be in the remains of killed engines on this machine.
        Set<String> others = sharedMemory();
        satellite.start(() -> second.complete(null));
        master.awaitReplay(satellite.address());
        assertEquals("2", master.textAt(satellite.address(), "SELECT count(*) FROM t"));
        String pid = Long.toString(satellite.pid());
        assertEquals(1, sharedMemoryOf(pid, others));
        satellite.kill();
        assertEquals(0, sharedMemoryOf(pid, others));
        second.get(30, TimeUnit.SECONDS);
        satellite.discardData();
        assertFalse(satellite.hasData());
        assertThrows(EngineException.class, () -> satellite.start(() -> {}));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void goesOnFromItsDataUnlessTheMasterHasAnotherHistorySince(EngineBinaries binaries) throws Exception {
        master = TestMaster.start(temp, binaries);
        Path data = master.cluster().dataDirectory();
        master.execute("CREATE TABLE t AS SELECT 1 AS n");
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        assertFalse(satellite.hasData(), "what was never started has not reached the end of its copy");
        satellite.start(() -> {});
        master.execute("INSERT INTO t SELECT generate_series(2, 10000)");
        master.awaitReplay(satellite.address());
        satellite.kill();
        master.cluster().stop(GRACE);
        Path backup = temp.resolve("backup");
        TestMaster.copy(data, backup);
        master.cluster().start(PATIENCE, reason -> {});
        assertTrue(satellite.hasData());
        satellite.start(() -> {});
        master.execute("INSERT INTO t SELECT generate_series(10001, 20000)");
        master.awaitReplay(satellite.address());
        assertEquals("20000", master.textAt(satellite.address(), "SELECT count(*) FROM t"));
        // The files now contain all that was replayed.
        satellite.stop(GRACE);
        assertTrue(satellite.hasData());

        master.cluster().kill();
        TestEngines.delete(data);
        TestMaster.copy(backup, data);
        master.cluster().start(PATIENCE, reason -> {});
        assertFalse(satellite.hasData(), "the Master has lost what the Satellite has");
        master.execute("INSERT INTO t SELECT -generate_series(10001, 30000)");
        assertFalse(satellite.hasData(), "the Master has something else in its place");
    }

    @ParameterizedTest
    @MethodSource("releases")
    void goesByTheMastersConfigurationFilesAsTheMasterDoes(EngineBinaries binaries) throws Exception {
        master = TestMaster.start(temp, binaries);
        Path file = master.cluster().dataDirectory().resolve("postgresql.conf");
        String original = Files.readString(file);
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});

        // A limit changes only with the next start; the other settings are adopted now.
        Files.writeString(file, original + "Lock_Timeout = '7s'\nmax_locks_per_transaction = 99\n");
        master.execute("ALTER SYSTEM SET search_path = public, 'it''s'");
        assertTakenOver("7s", "public, \"it's\"");

        Files.writeString(file, original + "lock_timeout = '8s'\nwork_mem = 'rubbish'\n");
        assertTakenOver("8s", "public, \"it's\"");

        // The Master itself adopts none of them then.
        Files.writeString(file, original + "lock_timeout = '9s'\nno_such_setting = 1\n");
        assertTakenOver("8s", "public, \"it's\"");
        assertFalse(
                Files.readString(memory.resolve("satellite-1/postgresql.conf")).contains("9s"));

        Files.writeString(file, original);
        master.execute("ALTER SYSTEM RESET search_path");
        assertTakenOver("0", "\"$user\", public");

        Files.writeString(file, original + "lock_timeout = '9s'\n");
        master.execute("SELECT pg_reload_conf()");
        satellite.stop(GRACE);
        satellite.start(() -> {});
        assertEquals("9s", master.textAt(satellite.address(), "SHOW lock_timeout"));
    }

    private void assertTakenOver(String timeout, String path) throws Exception {
        master.execute("SELECT pg_reload_conf()");
        satellite.reload();
        for (NodeAddress node : List.of(master.cluster().address(), satellite.address())) {
            TestEngines.await(
                    "lock_timeout " + timeout + " at " + node,
                    () -> master.textAt(node, "SHOW lock_timeout").equals(timeout));
            assertEquals(path, master.textAt(node, "SHOW search_path"));
        }
    }

    @Test
    void theMasterKeepsTheLogThatACopyNeedsUntilItRuns() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        master.execute("ALTER SYSTEM SET wal_keep_size = 0");
        master.execute("ALTER SYSTEM SET max_wal_size = '32MB'");
        master.execute("SELECT pg_reload_conf()");
        master.execute("CREATE TABLE t (n int)");
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        for (int i = 0; i < 8; i++) {
            master.execute("INSERT INTO t VALUES (" + i + ")");
            master.execute("SELECT pg_switch_wal()");
            master.execute("CHECKPOINT");
        }
        assertEquals("1", master.text("SELECT count(*) FROM pg_replication_slots"));
        satellite.start(() -> {});
        master.awaitReplay(satellite.address());
        assertEquals("8", master.textAt(satellite.address(), "SELECT count(*) FROM t"));
        TestEngines.await(
                "the log is no longer kept",
                () -> master.text("SELECT count(*) FROM pg_replication_slots").equals("0"));
    }

    @Test
    void aMasterWithoutReplicationSlotsIsCopiedAllTheSame() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        master.execute("ALTER SYSTEM SET max_replication_slots = 0");
        master.cluster().stop(GRACE);
        master.cluster().start(PATIENCE, reason -> {});
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        master.awaitReplay(satellite.address());
    }

    @Test
    void keepsToItsPlacesWhateverTheConfigurationSays() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        Path data = master.cluster().dataDirectory();
        master.cluster().stop(GRACE);
        Files.writeString(
                data.resolve("postgresql.conf"),
                "data_directory = '" + data + "'\nexternal_pid_file = '" + data.resolve("pid")
                        + "'\nhuge_pages = on\nunix_socket_group = 'nobody-has-this'\narchive_mode = always\n"
                        + "archive_command = 'touch " + temp.resolve("archived")
                        + "'\nrecovery_target_timeline = current\nprimary_conninfo = 'host=/nowhere'\n");
        Files.delete(data.resolve("pg_hba.conf"));
        master.cluster().start(PATIENCE, reason -> {});
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        master.execute("CREATE TABLE t AS SELECT 1 AS n");
        master.awaitReplay(satellite.address());
        assertEquals("1", master.textAt(satellite.address(), "SELECT n FROM t"));
        assertEquals(
                memory.resolve("satellite-1").toString(), master.textAt(satellite.address(), "SHOW data_directory"));
        assertEquals("off", master.textAt(satellite.address(), "SHOW archive_mode"));
        satellite.stop(GRACE);
        master.cluster().stop(GRACE);
        assertFalse(Files.exists(data.resolve("pid")));

        // As on Debian, the configuration is not with the data.
        Files.delete(data.resolve("postgresql.conf"));
        Files.delete(data.resolve("pg_ident.conf"));
        assertTrue(master.cluster().changes().getLast().startsWith("It holds no postgresql.conf"));
        master.cluster().start(PATIENCE, reason -> {});
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        assertEquals("1", master.textAt(satellite.address(), "SELECT n FROM t"));
    }

    @Test
    void neverWritesIntoATablespaceThatTheMasterMadeAfterTheCopy() throws Exception {
        assumeTrue(WriteFence.supported(), "this kernel has no Landlock");
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        satellite = satellite(memory.resolve("satellite-1"), true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        CompletableFuture<Void> end = new CompletableFuture<>();
        satellite.start(() -> end.complete(null));
        Path outside = temp.resolve("tablespace");
        TestEngines.user().privateDirectory(outside);
        master.execute("CREATE TABLESPACE elsewhere LOCATION '" + outside + "'");
        master.execute("CREATE TABLE t TABLESPACE elsewhere AS SELECT 1 AS n");
        end.get(30, TimeUnit.SECONDS);
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        master.execute("INSERT INTO t SELECT generate_series(2, 1000)");
        master.awaitReplay(satellite.address());
        assertEquals("500500", master.textAt(satellite.address(), "SELECT sum(n) FROM t"));
        assertEquals("500500", master.text("SELECT sum(n) FROM t"));
    }

    @Test
    void saysThatMemoryIsTooSmallForDataAndLogBeforeItCopies() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        if (EngineUser.choose("postgres").switched()) {
            Path small = Files.createDirectory(temp.resolve("small"));
            assertEquals(
                    0,
                    new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs", small.toString())
                            .inheritIO()
                            .start()
                            .waitFor());
            try {
                satellite = satellite(small.resolve("satellite-1"), true);
                NoRoomException refusal =
                        assertThrows(NoRoomException.class, () -> satellite.copyFromMaster(CopyProgress.SILENT));
                assertTrue(
                        refusal.getMessage()
                                .matches("The copy for satellite-1 needs 1\\d{3} MB in .*, where 51\\d MB are free."),
                        refusal.getMessage());
                assertFalse(Files.exists(small.resolve("satellite-1")));
            } finally {
                new ProcessBuilder("umount", small.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
            }
        }
    }

    @Test
    void saysThatTooLittleMemoryIsAvailableHoweverLargeItsPlace() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        satellite = satellite(memory.resolve("satellite-1"), true);
        available.set(512L << 20);
        NoRoomException refusal =
                assertThrows(NoRoomException.class, () -> satellite.copyFromMaster(CopyProgress.SILENT));
        assertTrue(
                refusal.getMessage()
                        .matches("The copy for satellite-1 needs 1\\d{3} MB of memory, of which 512 MB are available."),
                refusal.getMessage());
        assertFalse(satellite.hasData());
    }

    @Test
    void leavesNothingWhenTheCopyIsInterrupted() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        satellite = satellite(memory.resolve("satellite-1"), true);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread worker = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            try {
                satellite.copyFromMaster(CopyProgress.SILENT);
                outcome.complete(new AssertionError("not interrupted"));
            } catch (Exception e) {
                outcome.complete(e);
            }
        });
        assertTrue(
                outcome.get(30, TimeUnit.SECONDS) instanceof InterruptedException,
                outcome.get().toString());
        worker.join();
        assertFalse(satellite.hasData());
        assertFalse(Files.exists(memory.resolve("satellite-1")));
    }

    @Test
    void givesBackTheMemoryOfWhatIsNoLongerPlanned() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries);
        Path instance = memory.resolve("multimed-instance");
        Path first = instance.resolve("satellite-1");
        Path second = instance.resolve("satellite-2");
        satellite = satellite(first, true);
        satellite.copyFromMaster(CopyProgress.SILENT);
        SatelliteCluster left = satellite(second, true);
        left.copyFromMaster(CopyProgress.SILENT);
        Path other = Files.createDirectories(memory.resolve("multimed-other"));
        Files.writeString(other.resolve("thing"), "not known to be anybody's");
        Path data = master.cluster().dataDirectory();

        MemoryLeftovers.remove(memory, data, Set.of(first, second), TestEngines.user());
        assertTrue(Files.exists(second));
        MemoryLeftovers.remove(memory, data, Set.of(first), TestEngines.user());
        assertTrue(Files.exists(first));
        assertFalse(Files.exists(second));

        satellite.start(() -> {});
        master.cluster().stop(GRACE);
        TestEngines.delete(data);
        MemoryLeftovers.remove(memory, temp.resolve("another"), Set.of(), TestEngines.user());
        assertFalse(Files.exists(instance));
        assertEquals(0, satellite.pid());
        assertTrue(Files.exists(other.resolve("thing")));
    }

    /** Returns the number of System V segments that the process has made. */
    private static long sharedMemoryOf(String pid, Set<String> others) throws Exception {
        return sharedMemory().stream()
                .filter(segment -> !others.contains(segment))
                .filter(segment -> segment.endsWith(" " + pid))
                .count();
    }

    /** Each segment's number and that of the process which made it. */
    private static Set<String> sharedMemory() throws Exception {
        try (var segments = Files.lines(Path.of("/proc/sysvipc/shm"))) {
            return segments.map(line -> line.strip().split("\\s+"))
                    .map(fields -> fields[1] + " " + fields[4])
                    .collect(Collectors.toSet());
        }
    }

    private void write(AtomicBoolean loaded) {
        try (Connection connection = master.connect()) {
            var statement = connection.createStatement();
            statement.execute("CREATE TABLE made_meanwhile (n int)");
            for (int i = 0; loaded.get(); i++) {
                statement.execute("UPDATE a SET n = n + 1 WHERE id % 97 = " + i % 97);
                statement.execute("UPDATE b SET n = n + 1 WHERE id % 89 = " + i % 89);
                statement.execute("INSERT INTO made_meanwhile SELECT generate_series(1, 100)");
                statement.execute("CREATE TABLE passing AS SELECT * FROM a LIMIT 1000");
                statement.execute("DROP TABLE passing");
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private SatelliteCluster satellite(Path data, boolean inMemory) throws Exception {
        return master.satellite(temp, data, inMemory, available::get);
    }
}
