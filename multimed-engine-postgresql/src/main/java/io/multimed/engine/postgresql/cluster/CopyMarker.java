package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A file in a Satellite's data directory, written when a copy is complete. It shows whether a Satellite may resume from the
 * data, and how the standby must be set up if the Master does not answer.
 *
 * @param boot which start of the machine the data was made in: without fsync, data on disk does not survive another one
 * @param cluster the Master's system identifier
 * @param limits settings that must be at least as high on a standby as on the Master, by name
 */
record CopyMarker(String boot, long cluster, Map<String, Integer> limits) {
    private static final String NAME = "multimed.properties";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Returns the marker of a data directory; empty if there is none, or it cannot be understood. */
    static Optional<CopyMarker> read(Path dataDirectory) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(path(dataDirectory))) {
            properties.load(in);
            Map<String, Integer> limits = new LinkedHashMap<>();
            for (String name : properties.stringPropertyNames()) {
                if (name.startsWith("limit.")) {
                    limits.put(name.substring("limit.".length()), Integer.parseInt(properties.getProperty(name)));
                }
            }
            return Optional.of(new CopyMarker(
                    properties.getProperty("boot", ""),
                    Long.parseLong(properties.getProperty("cluster", "0")),
                    limits));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Path path(Path dataDirectory) {
        return dataDirectory.resolve(NAME);
    }

    void write(Path dataDirectory, EngineUser user) throws EngineException {
        Properties properties = new Properties();
        properties.setProperty("boot", boot);
        properties.setProperty("cluster", Long.toString(cluster));
        new TreeMap<>(limits).forEach((name, value) -> properties.setProperty("limit." + name, value.toString()));
        Path file = path(dataDirectory);
        try {
            StringWriter text = new StringWriter();
            properties.store(text, "Written by Multimed");
            String content = text.toString();
            user.files(() -> Files.writeString(file, content));
        } catch (IOException e) {
            throw new EngineException("Cannot write " + file + ": " + e + ".", e);
        }
    }

    /** Returns the identifier of this start of the machine. */
    static String thisBoot() {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException e) {
            // Unknown: then no data counts as resumable.
            return "unknown-" + System.nanoTime();
        }
    }
}
