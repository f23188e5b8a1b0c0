package io.multimed.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Everything that a distribution is made of.
 *
 * @param checkout the source checkout, for its licence and its example of a configuration
 * @param libraries the jars of the {@code multimed} command, in the order of the class path
 * @param jvmFlags the flags with which the command's JVM is run
 * @param time of all files in the distribution
 */
record DistributionSource(Path checkout, List<Path> libraries, List<String> jvmFlags, Instant time) {
    /** Returns what the launcher has named in environment variables. */
    static DistributionSource named(Map<String, String> environment) throws DistException, IOException {
        String checkout = environment.get("MULTIMED_CHECKOUT");
        String libraries = environment.get("MULTIMED_LIBRARIES");
        String flags = environment.get("MULTIMED_JVM_FLAGS");
        if (checkout == null || libraries == null || flags == null) {
            throw new DistException("distributions are made by ./multimed dist");
        }
        String epoch = environment.getOrDefault("SOURCE_DATE_EPOCH", "");
        Instant time = epoch.matches("[0-9]{1,12}") ? Instant.ofEpochSecond(Long.parseLong(epoch)) : Instant.now();
        return of(Path.of(checkout), jars(Path.of(libraries)), flags, time);
    }

    static DistributionSource of(Path checkout, List<Path> libraries, String jvmFlags, Instant time) {
        return new DistributionSource(
                checkout,
                libraries,
                List.of(jvmFlags.strip().split("\\s+")),
                // The JVM compares the times of jars in seconds with those that it has noted in the class cache.
                time.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Returns the jars in a directory, sorted by name. */
    static List<Path> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
