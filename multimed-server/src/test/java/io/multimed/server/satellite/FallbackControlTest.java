package io.multimed.server.satellite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.postgresql.cluster.MasterConfig;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.cluster.SatelliteConfig;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Placement of a Satellite's data in memory or on disk. Uses real engines; the Master itself feeds the Satellite. */
@Tag("slow")
class FallbackControlTest {
    private EngineUser user;
    private EngineBinaries binaries;
    private Path temp;
    private Path small;
    private MasterCluster master;
    private SatelliteCluster disk;

    @BeforeEach
    void startMaster() throws Exception {
        user = EngineUser.choose("postgres");
        binaries = EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
        temp = Files.createTempDirectory(Path.of("/tmp"), "multimed-test-");
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        small = Files.createDirectory(temp.resolve("small"));
        master = new MasterCluster(new MasterConfig(
                binaries,
                user,
                temp.resolve("master"),
                temp.resolve("run"),
                temp.resolve("log/master.log"),
                CoreBinding.NONE,
                256L << 20,
                20,
                // With this setting a Satellite needs little room.
                Map.of("max_wal_size", "32MB")));
        master.initialise();
        master.start(Duration.ofSeconds(60), reason -> {});
        disk = satellite(temp.resolve("disk/satellite-1"), false);
    }

    @AfterEach
    void endEngines() throws Exception {
        disk.kill();
        master.kill();
        if (!Files.getFileStore(small).equals(Files.getFileStore(temp))) {
            execute("umount", small.toString());
        }
        FileTree.delete(temp);
    }

    @Test
    void aCopyThatFailsThoughThereIsRoomIsMadeInMemoryAgain() throws Exception {
        SatelliteCluster memory = satellite(temp.resolve("memory/satellite-1"), true);
        FallbackControl<SatelliteCluster> control = new FallbackControl<>(memory, disk);
        assertThrows(EngineException.class, () -> control.copyFromMaster((copied, total) -> endOtherSessions()));
        assertSame(memory, control.current());
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(memory, control.current());
        assertTrue(Files.exists(temp.resolve("memory/satellite-1/PG_VERSION")));
    }

    @Test
    void aCopyThatHasNoPlaceInMemoryGoesToDisk() throws Exception {
        Files.createFile(temp.resolve("memory"));
        SatelliteCluster memory = satellite(temp.resolve("memory/satellite-1"), true);
        FallbackControl<SatelliteCluster> control = new FallbackControl<>(memory, disk);
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(disk, control.current());
        control.start(() -> {});
    }

    @Test
    void aCopyThatMemoryBecomesTooSmallForGoesToDisk() throws Exception {
        mountSmall();
        SatelliteCluster memory = satellite(small.resolve("satellite-1"), true);
        FallbackControl<SatelliteCluster> control = new FallbackControl<>(memory, disk);
        control.copyFromMaster((copied, total) -> fillSmall());
        assertSame(disk, control.current());
        assertFalse(Files.exists(small.resolve("satellite-1")));
        control.start(() -> {});
    }

    @Test
    void whatDoesNotStartForWantOfMemoryIsCopiedToDisk() throws Exception {
        mountSmall();
        SatelliteCluster memory = satellite(small.resolve("satellite-1"), true);
        FallbackControl<SatelliteCluster> control = new FallbackControl<>(memory, disk);
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(memory, control.current());
        fillSmall();
        assertThrows(NoRoomException.class, () -> control.start(() -> {}));
        Files.delete(small.resolve("filler"));
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(disk, control.current());
        control.start(() -> {});
        // At the next copy there may be enough memory again.
        control.kill();
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(memory, control.current());
    }

    @Test
    void whatRunsOutOfMemoryIsNotStartedThereAgainAndGivesItBack() throws Exception {
        mountSmall();
        SatelliteCluster memory = satellite(small.resolve("satellite-1"), true);
        FallbackControl<SatelliteCluster> control = new FallbackControl<>(memory, disk);
        control.copyFromMaster(CopyProgress.SILENT);
        control.start(() -> {});
        assertEquals(Optional.empty(), memory.lackOfRoom());
        fillSmall();
        String reason = memory.lackOfRoom().orElseThrow();
        assertTrue(reason.matches(".* of 160 MB are left in " + small + " \\(tmpfs\\)"), reason);
        control.kill();
        assertFalse(control.hasData());
        assertFalse(Files.exists(small.resolve("satellite-1")));
        control.copyFromMaster(CopyProgress.SILENT);
        assertSame(disk, control.current());
        control.start(() -> {});
        control.kill();
        assertTrue(control.hasData());
        assertSame(disk, control.current());
    }

    private SatelliteCluster satellite(Path data, boolean inMemory) {
        return new SatelliteCluster(
                new SatelliteConfig(
                        NodeId.satellite(1),
                        binaries,
                        user,
                        data,
                        inMemory,
                        () -> Long.MAX_VALUE,
                        temp.resolve("run-satellite"),
                        temp.resolve("log/satellite.log"),
                        master.address(),
                        CoreBinding.NONE,
                        256L << 20,
                        10,
                        SatelliteConfig.LONG_READER,
                        Map.of()),
                master);
    }

    /** Ends all other sessions, as when the Master fails for a moment. */
    private void endOtherSessions() {
        try (Connection connection = AdminConnection.open(master.address(), "postgres", "postgres");
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void mountSmall() throws Exception {
        assumeTrue(user.switched(), "only root can mount");
        execute("mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", small.toString());
    }

    private void fillSmall() {
        byte[] block = new byte[4096];
        try (OutputStream filler = Files.newOutputStream(small.resolve("filler"))) {
            while (true) {
                filler.write(block);
            }
        } catch (IOException full) {
            return;
        }
    }

    private static void execute(String... command) throws Exception {
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }
}
