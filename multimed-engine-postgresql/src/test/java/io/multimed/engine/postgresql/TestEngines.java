package io.multimed.engine.postgresql;

import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** The PostgreSQL releases that tests run on, and directories that their user can reach. */
public final class TestEngines {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private TestEngines() {}

    /** The embedded release, and the oldest supported one that this machine has. */
    public static List<EngineBinaries> releases() throws Exception {
        List<EngineBinaries> releases = new ArrayList<>(List.of(embedded()));
        for (int major = EngineBinaries.OLDEST; major < EngineBinaries.NEWEST; major++) {
            Path bin = INSTALLED.resolve(major + "/bin");
            if (Files.exists(bin.resolve("initdb")) && releases.size() == 1) {
                releases.add(EngineBinaries.installed(bin));
            }
        }
        return releases;
    }

    public static EngineBinaries embedded() throws Exception {
        return EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
    }

    public static EngineUser user() throws Exception {
        return EngineUser.choose("postgres");
    }

    /** A directory below {@code /tmp} that the engines' user can enter. */
    public static Path directory() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    public static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Waits until the condition holds. */
    public static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 30 s: " + what);
            }
            Thread.sleep(10);
        }
    }
}
