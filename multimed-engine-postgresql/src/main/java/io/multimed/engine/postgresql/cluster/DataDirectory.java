package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileProblem;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.binaries.ProgramPlaces;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes, recognises and deletes PostgreSQL data directories on disk. */
final class DataDirectory {
    /** Name of the superuser of clusters that Multimed makes. */
    static final String SUPERUSER = "postgres";
    /** Offset of data_page_checksum_version in the control file of versions 15 to 18. */
    private static final int CHECKSUM_VERSION = 252;

    private DataDirectory() {}

    static boolean exists(Path directory) {
        return Files.exists(directory.resolve("PG_VERSION"));
    }

    /** Refuses a data directory that these programs cannot run, in one sentence. */
    static void requireCompatible(Path directory, EngineBinaries binaries) throws EngineException {
        String version;
        try {
            version = Files.readString(directory.resolve("PG_VERSION")).strip();
        } catch (IOException e) {
            throw new EngineException("Cannot read the data directory " + directory + ": " + e + ".", e);
        }
        if (!version.equals(Integer.toString(binaries.major()))) {
            throw new EngineException(
                    new MajorUpgrade(directory, version, binaries, new ProgramPlaces()).explanation());
        }
    }

    /**
     * Makes a new cluster with data checksums, in UTF-8.
     *
     * <p>It is made in a directory beside the final one, which is renamed at the end. So a directory with the final name is
     * complete.
     */
    static void initialise(Path directory, EngineBinaries binaries, EngineUser user)
            throws EngineException, InterruptedException {
        Path parent = directory.getParent();
        if (parent == null) {
            throw new EngineException("Not a place for data: " + directory + ".");
        }
        try {
            if (Files.exists(directory) && !isEmpty(directory)) {
                throw new EngineException("The directory " + directory
                        + " is neither empty nor a PostgreSQL data directory: choose another one.");
            }
            user.makeWay(parent);
            user.requireReach("The data directory", parent);
            Path fresh = parent.resolve("." + directory.getFileName() + ".new");
            FileTree.delete(fresh);
            user.privateDirectory(fresh);
            try {
                initdb(fresh, binaries, user);
                try {
                    Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
                } catch (FileSystemException e) {
                    // A mount point cannot be replaced. A crash just now would leave an incomplete cluster there.
                    FileTree.delete(fresh);
                    user.own(directory);
                    initdb(directory, binaries, user);
                }
            } finally {
                FileTree.delete(fresh);
            }
        } catch (IOException e) {
            throw new EngineException(
                    "Cannot create the data directory " + directory + ": " + FileProblem.of(e) + ".", e);
        }
    }

    /** Returns the number that identifies a cluster; the same in a Master and its copies. */
    static long systemIdentifier(Path directory) throws EngineException {
        // The first field of the control file, in the machine's own byte order, in every version.
        try (InputStream in = Files.newInputStream(directory.resolve("global/pg_control"))) {
            return ByteBuffer.wrap(in.readNBytes(Long.BYTES))
                    .order(ByteOrder.nativeOrder())
                    .getLong();
        } catch (IOException | RuntimeException e) {
            throw new EngineException("Cannot read the control file of " + directory + ": " + e + ".", e);
        }
    }

    /**
     * Returns whether the pages of a cluster have checksums; nothing if that is unknown.
     *
     * @param major version that made it
     */
    static Optional<Boolean> hasChecksums(Path directory, String major) {
        if (!major.matches("1[5-8]")) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(directory.resolve("global/pg_control"))) {
            byte[] control = in.readNBytes(CHECKSUM_VERSION + Integer.BYTES);
            return Optional.of(
                    ByteBuffer.wrap(control).order(ByteOrder.nativeOrder()).getInt(CHECKSUM_VERSION) != 0);
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void initdb(Path directory, EngineBinaries binaries, EngineUser user)
            throws EngineException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                binaries.initdb().toString(),
                "--pgdata=" + directory,
                "--username=" + SUPERUSER,
                "--encoding=UTF8",
                "--data-checksums",
                "--auth=trust",
                "--no-instructions"));
        if (!localeIsUtf8()) {
            command.add("--no-locale");
        }
        try {
            EngineTool.run(user, command, Map.of());
        } catch (EngineException e) {
            if (command.contains("--no-locale")
                    || !String.valueOf(e.getMessage()).contains("locale")) {
                throw e;
            }
            // The environment names a locale that is not installed, as in many containers.
            command.add("--no-locale");
            EngineTool.run(user, command, Map.of());
        }
    }

    private static boolean localeIsUtf8() {
        for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = System.getenv(variable);
            if (value != null && !value.isEmpty()) {
                String name = value.toLowerCase(Locale.ROOT);
                return name.endsWith("utf-8") || name.endsWith("utf8");
            }
        }
        return false;
    }
}
