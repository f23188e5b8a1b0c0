package io.multimed.engine.files;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Free space on the file system of a directory. Any thread; asks the file system. */
public final class Room {
    /**
     * Size of a segment of the log. An engine that cannot write a whole segment frees the part it has written, so this much may
     * be left on a full file system.
     */
    private static final long HARDLY_ANY = 16L << 20;

    private Room() {}

    /** Whether the file system of {@code place} is nearly full; false if {@code place} does not exist. */
    public static boolean isLacking(Path place) {
        try {
            return Files.getFileStore(place).getUsableSpace() < HARDLY_ANY;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a sentence without its full stop: how much is left, of how much, and where. */
    public static String left(Path place) {
        try {
            FileStore store = Files.getFileStore(place);
            return text(store.getUsableSpace()) + " of " + text(store.getTotalSpace()) + " are left in " + store;
        } catch (IOException e) {
            return "nobody knows how much is left in " + place;
        }
    }

    /** Returns an amount for people to read. */
    public static String text(long bytes) {
        return bytes >> 20 < 10_000 ? (bytes >> 20) + " MB" : (bytes >> 30) + " GB";
    }
}
