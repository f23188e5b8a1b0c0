package io.multimed.engine.files;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/** The place of engines' programs that were unpacked out of Maven artifacts, once for all users' engines. */
public final class ProgramCache {
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    /** Fills an empty directory. */
    @FunctionalInterface
    public interface Unpacking {
        void unpackInto(Path directory) throws IOException;
    }

    private ProgramCache() {}

    /** {@code /var/cache/multimed} for root, whose engines run as another user; else {@code ~/.cache/multimed}. */
    public static Path standard() {
        return of(System.getProperty("user.name", ""), System.getenv());
    }

    /** Returns the cache of a user with an environment. */
    public static Path of(String user, Map<String, String> environment) {
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
     * Returns the directory of an engine's programs, unpacked by the first call.
     *
     * @param cache created if missing
     * @param engine begins the directory's name
     * @param content a resource whose content tells releases apart
     */
    public static Path directory(Path cache, String engine, URL content, Unpacking unpacking) throws IOException {
        Path root = cache.toAbsolutePath().normalize();
        Path home = root.resolve(engine + "-" + fingerprint(content));
        if (!Files.exists(home)) {
            FileTree.make(root, READABLE);
            unpackInto(root, home, unpacking);
        }
        return home;
    }

    /**
     * Returns a name for the directory that depends on the content, so that another release never finds this one's files. The
     * jar's own directory already holds the checksum.
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

    /**
     * Unpacks into a directory beside the final place, then renames it. So a directory with the final name is always complete,
     * whichever process made it.
     */
    private static void unpackInto(Path root, Path home, Unpacking unpacking) throws IOException {
        Path fresh = Files.createTempDirectory(root, ".unpack-");
        try {
            Files.setPosixFilePermissions(fresh, READABLE);
            unpacking.unpackInto(fresh);
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another process was faster; its directory is as good as this one.
            if (!Files.exists(home)) {
                throw e;
            }
        } finally {
            FileTree.delete(fresh);
        }
    }
}
