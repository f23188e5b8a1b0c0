package io.multimed.engine.process;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file to which an engine writes its messages.
 *
 * <p>The engine writes to the file itself, without a thread of Multimed's in between, so it can write even when Multimed is
 * gone. Thread-safe.
 */
public final class EngineLog {
    private static final int TAIL = 64 << 10;
    /** The last message of a MariaDB that ends, after the one that says why. */
    private static final String LAST_WORD = "Aborting";

    private final Path file;
    private final List<String> gravest;
    /** Position in the file at which the messages of the present start begin. */
    private long begin;

    private EngineLog(Path file, List<String> gravest, long begin) {
        this.file = file;
        this.gravest = List.copyOf(gravest);
        this.begin = begin;
    }

    /**
     * Prepares the file for the next start.
     *
     * @param gravest the marks of messages that tell why an engine ended, such as {@code FATAL:}
     */
    public static EngineLog open(Path file, List<String> gravest) throws EngineException {
        try {
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return new EngineLog(file, gravest, Files.exists(file) ? Files.size(file) : 0);
        } catch (IOException e) {
            throw new EngineException("Cannot write the log " + file + ": " + e + ".", e);
        }
    }

    public Path file() {
        return file;
    }

    /** Bounds the file by {@link BoundedLog#bound}, while the engine goes on writing. */
    public synchronized void bound() throws IOException {
        begin = Math.max(0, begin - BoundedLog.bound(file));
    }

    /** Returns why the engine ended: its last message with a mark since {@link #open}, or its last line, or empty. */
    public synchronized String reason() {
        String tail = tail();
        String last = "";
        String fatal = "";
        for (String line : tail.split("\n")) {
            for (String level : gravest) {
                int at = line.indexOf(level);
                String message =
                        at < 0 ? "" : line.substring(at + level.length()).strip();
                if (!message.isEmpty() && !message.equals(LAST_WORD)) {
                    fatal = message;
                }
            }
            if (!line.isBlank()) {
                last = line.strip();
            }
        }
        return fatal.isEmpty() ? last : fatal;
    }

    private String tail() {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(begin, in.length() - TAIL);
            byte[] bytes = new byte[(int) Math.max(0, in.length() - from)];
            in.seek(from);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
