package io.multimed.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine on which a result was measured.
 *
 * @param cores logical processors that may be used
 * @param memoryBytes installed
 * @param kernel its release
 * @param java the version of the JVM that generates the load
 */
public record Machine(String processor, int cores, long memoryBytes, String kernel, String java) {
    private static final long KB = 1024;

    public static Machine read() {
        return new Machine(
                line("/proc/cpuinfo", "model name").replaceFirst(".*:\\s*", ""),
                Runtime.getRuntime().availableProcessors(),
                kilobytes("MemTotal"),
                line("/proc/sys/kernel/osrelease", ""),
                Runtime.version().toString());
    }

    /** Returns the processor and the number of cores. */
    public String name() {
        return processor + ", " + cores + " cores";
    }

    private static long kilobytes(String what) {
        String digits = line("/proc/meminfo", what + ":").replaceAll("\\D+", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits) * KB;
    }

    private static String line(String file, String start) {
        try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(start)).findFirst().orElse("");
        } catch (IOException | java.io.UncheckedIOException e) {
            return "";
        }
    }
}
