package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether PostgreSQL knows a setting and accepts its value, without a cluster: {@code postgres -C} reads its
 * configuration and ends, as root too. Values that depend on other settings or on the machine are checked only at the start.
 */
public final class SettingCheck {
    private static final String FATAL = "FATAL:";

    private SettingCheck() {}

    /** Returns PostgreSQL's objection to a setting; empty if it accepts the setting. */
    public static Optional<String> refusal(EngineBinaries binaries, String name, String value)
            throws EngineException, InterruptedException {
        try {
            Path directory = Files.createTempDirectory("multimed-settings");
            Path configuration = directory.resolve("postgresql.conf");
            try {
                Files.createFile(configuration);
                ProcessBuilder builder = new ProcessBuilder(List.of(
                        binaries.postgres().toString(),
                        "-C",
                        "port",
                        "-D",
                        directory.toString(),
                        "-c",
                        name + "=" + value));
                builder.environment().keySet().removeIf(variable -> variable.startsWith("PG"));
                Process process = builder.redirectErrorStream(true).start();
                process.getOutputStream().close();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return process.waitFor() == 0
                        ? Optional.empty()
                        : output.lines()
                                .filter(line -> line.contains(FATAL))
                                .map(line -> line.substring(line.indexOf(FATAL) + FATAL.length())
                                        .strip())
                                .findFirst();
            } finally {
                Files.deleteIfExists(configuration);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            throw new EngineException("Cannot run " + binaries.postgres() + ": " + e.getMessage() + ".", e);
        }
    }
}
