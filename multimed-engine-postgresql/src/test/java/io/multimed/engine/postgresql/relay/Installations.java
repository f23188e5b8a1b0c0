package io.multimed.engine.postgresql.relay;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The PostgreSQL versions on this machine, for tests. */
final class Installations {
    private static final Path INSTALLED_15 = Path.of("/usr/lib/postgresql/15/bin");

    private Installations() {}

    /** Directories of binaries, the newest last. */
    static List<Path> all() throws EngineException, InterruptedException {
        List<Path> all = new ArrayList<>();
        if (Files.isExecutable(INSTALLED_15.resolve("postgres"))) {
            all.add(INSTALLED_15);
        }
        all.add(EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT)
                .directory());
        return all;
    }

    static Path newest() throws EngineException, InterruptedException {
        return all().getLast();
    }
}
