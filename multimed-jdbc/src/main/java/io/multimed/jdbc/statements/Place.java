package io.multimed.jdbc.statements;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory.
 *
 * @param path to it
 */
record Place(Path path) {
    private static final int ATTEMPTS = 50;

    /** Databases that outlive their connections live until the process ends, and their Satellites with them. */
    private static final Set<Place> KEPT = ConcurrentHashMap.newKeySet();

    /** Only as long as there is something to delete: it would keep the class loader of an application that has gone. */
    private static @Nullable Thread hook;

    static Place create() throws SQLException {
        try {
            Place place = new Place(Files.createTempDirectory("multimed-"));
            keep(place);
            return place;
        } catch (IOException e) {
            throw new SQLException(
                    "There is no room for replicas in " + System.getProperty("java.io.tmpdir"), "58030", e);
        }
    }

    private static synchronized void keep(Place place) {
        KEPT.add(place);
        if (hook == null) {
            hook = new Thread(() -> KEPT.forEach(Place::delete), "multimed-places");
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    private static synchronized void forget(Place place) {
        KEPT.remove(place);
        if (KEPT.isEmpty() && hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // It is running.
            }
            hook = null;
        }
    }

    /** With all that is in it. Idempotent. */
    void delete() {
        forget(this);
        IOException failure = null;
        // While the process ends an applier may still make files, and remove them, in between.
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                deleteTree();
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        System.getLogger("io.multimed.jdbc")
                .log(System.Logger.Level.DEBUG, "a temporary directory stays behind: " + path, failure);
    }

    private void deleteTree() throws IOException {
        if (Files.notExists(path)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
