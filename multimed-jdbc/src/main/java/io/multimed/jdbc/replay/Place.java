package io.multimed.jdbc.replay;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory that only its owner may read. It is deleted when the process ends; {@link AbandonedPlaces} removes those
 * of processes that were killed.
 */
final class Place {
    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Places in use. Those of databases that outlive their connections are deleted only when the process ends. */
    private static final Set<Place> KEPT = ConcurrentHashMap.newKeySet();

    /**
     * The shutdown hook, registered only while there is something to delete: it would keep the class loader of an application that
     * was unloaded.
     */
    private static @Nullable Thread hook;

    private final Path root;
    /** The lock file's channel, held as long as this process lives. */
    private final FileChannel owner;

    private Place(Path root, FileChannel owner) {
        this.root = root;
        this.owner = owner;
    }

    /** Returns the directory for files. It is empty at first and has a unique name. */
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

    /**
     * Creates a place. The directory gets its final name only after its lock file is locked, so that no process finds it without a
     * lock.
     */
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
                // The hook is running already.
            }
            hook = null;
        }
    }

    /** Deletes the directory with its contents. Idempotent. */
    void delete() {
        forget(this);
        IOException failure = null;
        // While the process ends, an applier may still create and remove files in between.
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                deleteTree(root);
                close();
                return;
            } catch (IOException e) {
                failure = e;
                LockSupport.parkNanos(PAUSE_NANOS);
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
            // The lock ends with the process.
        }
    }

    /** Deletes a directory with its contents; does not follow links. */
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
