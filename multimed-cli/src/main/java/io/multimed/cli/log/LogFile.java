package io.multimed.cli.log;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The destination of log lines. */
public final class LogFile {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS xx", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private static volatile @Nullable PrintStream file;

    private LogFile() {}

    /**
     * Appends lines to this file too, from now on. Others may shorten the file from its beginning. If it cannot be written, a
     * message says so and the log continues without it.
     */
    public static void open(Path path) {
        try {
            file = new PrintStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    true,
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            System.err.println("multimed: the log " + path + " cannot be written: " + e.getMessage());
        }
    }

    static void write(Level level, String logger, String message, @Nullable Throwable cause) {
        PrintStream out = file;
        if (out != null) {
            synchronized (out) {
                out.println(TIME.format(Instant.now()) + " " + level + " ["
                        + Thread.currentThread().getName() + "] " + logger + ": " + message);
                if (cause != null) {
                    cause.printStackTrace(out);
                }
            }
        }
        if (level.toInt() >= Level.WARN.toInt() && logger.startsWith("io.multimed.")) {
            System.err.println("multimed: " + (level == Level.ERROR ? "error: " : "warning: ") + message
                    + (cause == null ? "" : ": " + cause));
        }
    }
}
