package io.multimed.jdbc.statements;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory that only its owner may read. It ends with the process: {@link AbandonedPlaces} removes those of processes
 * that were killed.
 */
final class Place {
    private static final int ATTEMPTS = 50;

    /** Databases that outlive their connections live until the process ends, and their Satellites with them. */
    private static final Set<Place> KEPT = ConcurrentHashMap.newKeySet();

    /** Only as long as there is something to delete: it would keep the class loader of an application that has gone. */
    private static @Nullable Thread hook;

    private final Path root;
    /** Held as long as this process lives. */
    private final FileChannel owner;

    private Place(Path root, FileChannel owner) {
        this.root = root;
        this.owner = owner;
    }

    /** Where files go; empty at first, and of a name that is unique. */
    Path path() {
        return root.resolve(root.getFileName());
    }

    static Place create() throws SQLException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        AbandonedPlaces.removeOnce(temporary);
        try {
            Place place = create(temporary);
            keep(place);
            return place;
        } catch (IOException e) {
            throw new SQLException("There is no room for replicas in " + temporary, "58030", e);
        }
    }

    /** Gets its name when it has its owner: nobody finds it without. */
    private static Place create(Path temporary) throws IOException {
        Path unnamed = Files.createTempDirectory(temporary, "multimed.");
        FileChannel owner = null;
        try {
            owner = FileChannel.open(
                    unnamed.resolve(AbandonedPlaces.OWNER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            owner.lock();
            Path named = temporary.resolve(AbandonedPlaces.name(unnamed));
            Files.createDirectory(unnamed.resolve(named.getFileName()));
            Files.move(unnamed, named, StandardCopyOption.ATOMIC_MOVE);
            return new Place(named, owner);
        } catch (IOException | RuntimeException e) {
            if (owner != null) {
                owner.close();
            }
            deleteTree(unnamed);
            throw e;
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
                deleteTree(root);
                close();
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        System.getLogger("io.multimed.jdbc")
                .log(System.Logger.Level.DEBUG, "a temporary directory stays behind: " + root, failure);
        close();
    }

    private void close() {
        try {
            owner.close();
        } catch (IOException e) {
            // It ends with the process.
        }
    }

    /** With all that is in it; links are not followed. */
    static void deleteTree(Path path) throws IOException {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
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
