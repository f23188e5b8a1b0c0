package io.multimed.engine.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/** Operations on whole directory trees. */
public final class FileTree {
    private FileTree() {}

    /**
     * Makes a directory and those above it with this mode, whatever the umask. Existing directories keep their modes, since
     * they are not Multimed's.
     */
    public static void make(Path directory, Set<PosixFilePermission> mode) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            make(parent, mode);
        }
        try {
            Files.createDirectory(directory);
            Files.setPosixFilePermissions(directory, mode);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** Returns the sum of the sizes of all files below a directory that nobody changes; 0 without one. */
    public static long bytes(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                BasicFileAttributes file =
                        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                bytes += file.isRegularFile() ? file.size() : 0;
            }
        }
        return bytes;
    }

    /** Deletes one path, as {@link Files#deleteIfExists} does. */
    @FunctionalInterface
    public interface Deletion {
        void delete(Path path) throws IOException;
    }

    /** Deletes a directory and all below it, links as links; does nothing without one. */
    public static void delete(Path tree) throws IOException {
        delete(tree, Files::deleteIfExists);
    }

    /** Deletes a directory and all below it with {@code deletion}, which gets each path, those below a directory before it. */
    public static void delete(Path tree, Deletion deletion) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                deletion.delete(path);
            }
        }
    }
}
