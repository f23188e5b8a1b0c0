package io.multimed.jdbc.replay;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Removes the temporary directories of processes that were killed. Each directory contains a file that its process keeps locked.
 * The operating system releases the lock when the process ends, however it ends, and the lock is visible in other containers that
 * share the directory.
 */
final class AbandonedPlaces {
    static final String OWNER = "owner";

    private static final String PREFIX = "multimed-";
    private static final AtomicBoolean LOOKED = new AtomicBoolean();

    /**
     * Prefix that is the same for all class loaders of this process. The process must not open the files that it holds locked
     * itself, since closing one would release the lock.
     */
    private static final String OF_THIS_PROCESS =
            PREFIX + ProcessHandle.current().pid() + "-"
                    + ProcessHandle.current()
                            .info()
                            .startInstant()
                            .map(Instant::toEpochMilli)
                            .orElse(0L)
                    + "-";

    private AbandonedPlaces() {}

    /** Returns the name of a directory of this process, from the unique name with which it was made. */
    static String name(Path unique) {
        return OF_THIS_PROCESS + unique.getFileName().toString().replaceAll("\\D", "");
    }

    /** Removes such directories once in a process, because new ones appear only when a process is killed. */
    static void removeOnce(Path temporary) {
        if (LOOKED.compareAndSet(false, true)) {
            remove(temporary);
        }
    }

    static void remove(Path temporary) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*-*-*")) {
            for (Path directory : found) {
                if (!directory.getFileName().toString().startsWith(OF_THIS_PROCESS)) {
                    removeIfAbandoned(directory);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log(temporary, e);
        }
    }

    /** Logs a failure, because a connection must not fail for it. */
    private static void log(Path stays, Exception e) {
        System.getLogger("io.multimed.jdbc")
                .log(System.Logger.Level.DEBUG, "what earlier processes left stays in " + stays, e);
    }

    /** Removes a directory if its lock is free. Directories of other users are not accessible. */
    private static void removeIfAbandoned(Path directory) {
        Path file = directory.resolve(OWNER);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel owner = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = owner.tryLock()) {
            if (lock != null) {
                Place.deleteTree(directory);
            }
        } catch (IOException e) {
            log(directory, e);
        }
    }
}
