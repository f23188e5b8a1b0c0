package io.multimed.engine.postgresql;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much room there is where data lies. Any thread; asks the file system. */
public final class Room {
    /** An engine that finds no room for a segment of its log gives back what it had taken for it. */
    private static final long HARDLY_ANY = 16L << 20;

    private Room() {}

    /** Whether hardly anything can be written there; false where there is nothing. */
    public static boolean isLacking(Path place) {
        try {
            return Files.getFileStore(place).getUsableSpace() < HARDLY_ANY;
        } catch (IOException e) {
            return false;
        }
    }

    /** A sentence without its full stop: how much is left, of how much, and where. */
    public static String left(Path place) {
        try {
            FileStore store = Files.getFileStore(place);
            return text(store.getUsableSpace()) + " of " + text(store.getTotalSpace()) + " are left in " + store;
        } catch (IOException e) {
            return "nobody knows how much is left in " + place;
        }
    }

    /** An amount for people. */
    public static String text(long bytes) {
        return bytes >> 20 < 10_000 ? (bytes >> 20) + " MB" : (bytes >> 30) + " GB";
    }
}
