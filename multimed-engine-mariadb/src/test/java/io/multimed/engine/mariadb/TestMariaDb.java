package io.multimed.engine.mariadb;

import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.files.ProgramCache;
import io.multimed.engine.mariadb.binaries.EmbeddedMariaDb;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.mariadb.cluster.MariaDbMaster;
import io.multimed.engine.mariadb.cluster.MariaDbMasterConfig;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The embedded MariaDB for tests, directories that its user can reach, and Masters. */
public final class TestMariaDb {
    public static final Duration PATIENCE = Duration.ofSeconds(60);
    private static @Nullable Path template;

    private TestMariaDb() {}

    public static MariaDbBinaries binaries() throws Exception {
        return EmbeddedMariaDb.unpack(ProgramCache.standard(), CopyProgress.SILENT);
    }

    public static EngineUser user() throws Exception {
        return EngineUser.choose("mysql");
    }

    /** A directory below {@code /tmp} that the engines' user can enter. */
    public static Path directory() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    public static void delete(Path tree) throws Exception {
        new ProcessBuilder("rm", "-rf", tree.toString()).start().waitFor();
    }

    public static MariaDbMasterConfig config(Path directory, Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        // A small file is made faster.
        all.putIfAbsent("innodb_log_file_size", "64M");
        return new MariaDbMasterConfig(
                binaries(),
                user(),
                directory.resolve("data"),
                directory.resolve("run"),
                directory.resolve("master.log"),
                CoreBinding.NONE,
                128 << 20,
                100,
                all);
    }

    /** A Master with a fresh database below a directory; not started. */
    public static MariaDbMaster master(Path directory) throws Exception {
        return master(directory, Map.of());
    }

    public static MariaDbMaster master(Path directory, Map<String, String> settings) throws Exception {
        EngineTool.run(
                EngineUser.self(),
                List.of(
                        "cp",
                        "-a",
                        template().toString(),
                        directory.resolve("data").toString()),
                Map.of());
        return new MariaDbMaster(config(directory, settings));
    }

    /** Makes the system tables once for all tests. */
    private static synchronized Path template() throws Exception {
        if (template == null) {
            Path directory = directory();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    delete(directory);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
            new MariaDbMaster(config(directory, Map.of())).initialise();
            template = directory.resolve("data");
        }
        return template;
    }

    /** Connects as root. */
    public static EngineConnection root(MariaDbMaster master) throws IOException {
        return EngineConnection.open(master.socket(), new EngineAccount("root", ""), PATIENCE);
    }

    /** Waits until the condition holds. */
    public static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            Thread.sleep(5);
        }
    }
}
