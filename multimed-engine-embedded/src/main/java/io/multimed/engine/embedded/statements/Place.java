package io.multimed.engine.embedded.statements;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A temporary directory.
 *
 * @param path to it
 */
record Place(Path path) {
    private static final int ATTEMPTS = 50;

    /** Databases that outlive their connections live until the process ends, and their Satellites with them. */
    private static final Set<Place> KEPT = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> KEPT.forEach(Place::delete), "multimed-places"));
    }

    static Place create() throws SQLException {
        try {
            Place place = new Place(Files.createTempDirectory("multimed-"));
            KEPT.add(place);
            return place;
        } catch (IOException e) {
            throw new SQLException(
                    "There is no room for replicas in " + System.getProperty("java.io.tmpdir"), "58030", e);
        }
    }

    /** With all that is in it. Idempotent. */
    void delete() {
        KEPT.remove(this);
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
        System.getLogger("io.multimed.engine.embedded")
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
