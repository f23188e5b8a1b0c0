package io.multimed.jdbc.statements;

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
 * Removes the temporary directories of processes that were killed. Each directory holds a file that its process keeps locked;
 * the system ends the lock with the process, in whatever way that ends, and other containers that share the directory see it too.
 */
final class AbandonedPlaces {
    static final String OWNER = "owner";

    private static final String PREFIX = "multimed-";
    private static final AtomicBoolean LOOKED = new AtomicBoolean();

    /**
     * The same for all class loaders of this process: it must not open the files that it holds locked itself, since closing one
     * would end the lock.
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

    /** Name of a directory of this process, from the unique name that it was made with. */
    static String name(Path unique) {
        return OF_THIS_PROCESS + unique.getFileName().toString().replaceAll("\\D", "");
    }

    /** Once in a process: they appear only when one is killed. */
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

    /** It is not worth failing a connection for. */
    private static void log(Path stays, Exception e) {
        System.getLogger("io.multimed.jdbc")
                .log(System.Logger.Level.DEBUG, "what earlier processes left stays in " + stays, e);
    }

    /** Another user's is closed to this one. */
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
