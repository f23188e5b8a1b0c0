package io.multimed.cli.log;

import io.multimed.server.config.Configuration.LogFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

/** The destination of log lines. */
public final class LogFile {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS xx", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private static volatile @Nullable PrintStream file;
    private static volatile boolean json;

    private LogFile() {}

    /** Appends lines as text to this file too, from now on. */
    public static void open(Path path) {
        open(path, LogFormat.TEXT);
    }

    /**
     * Appends lines to this file too, from now on. Others may shorten the file from its beginning. If it cannot be written, a
     * message says so and the log continues without it.
     */
    public static void open(Path path, LogFormat format) {
        json = format == LogFormat.JSON;
        try {
            file = new PrintStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    true,
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            String problem = "the log " + path + " cannot be written: " + e.getMessage();
            System.err.println(
                    json
                            ? JsonLine.of(Level.WARN.name(), LogFile.class.getName(), problem, List.of(), null)
                            : "multimed: " + problem);
        }
    }

    /** Whether messages are JSON objects, on standard error too. */
    public static boolean isJson() {
        return json;
    }

    /** Returns a line for standard error that says this. */
    public static String message(String text) {
        return json ? JsonLine.of(Level.INFO.name(), "io.multimed.cli", text, List.of(), null) : "multimed: " + text;
    }

    static void write(
            Level level, String logger, String message, List<KeyValuePair> values, @Nullable Throwable cause) {
        PrintStream out = file;
        boolean warns = level.toInt() >= Level.WARN.toInt() && logger.startsWith("io.multimed.");
        if (json) {
            String line = JsonLine.of(level.name(), logger, message, values, cause);
            if (out != null) {
                out.println(line);
            }
            if (warns) {
                System.err.println(line);
            }
            return;
        }
        String text = message + text(values);
        if (out != null) {
            synchronized (out) {
                out.println(TIME.format(Instant.now()) + " " + level + " ["
                        + Thread.currentThread().getName() + "] " + logger + ": " + text);
                if (cause != null) {
                    cause.printStackTrace(out);
                }
            }
        }
        if (warns) {
            System.err.println("multimed: " + (level == Level.ERROR ? "error: " : "warning: ") + text
                    + (cause == null ? "" : ": " + cause));
        }
    }

    /** Returns the values behind a message, on one line. */
    private static String text(List<KeyValuePair> values) {
        return values.stream()
                .map(pair -> pair.key + "=" + text(pair.value))
                .collect(Collectors.joining(" ", values.isEmpty() ? "" : ": ", ""));
    }

    private static String text(@Nullable Object value) {
        if (!(value instanceof String text)) {
            return String.valueOf(value);
        }
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '"';
    }
}
