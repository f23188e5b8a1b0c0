package io.multimed.server;

import io.multimed.server.config.Configuration.LogFormat;
import io.multimed.server.config.Overrides;
import io.multimed.server.startup.Progress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Options of {@code up}.
 *
 * @param directory of the instance
 * @param config file; without one, {@code multimed.toml} in the directory is read if it exists
 * @param overrides options of the command line
 * @param progress receives the steps of the start
 * @param logTo receives the log's file once its directory exists
 */
public record StartOptions(
        Path directory, Optional<Path> config, Overrides overrides, Progress progress, LogTarget logTo) {
    /** Opens the log of the process. */
    public interface LogTarget {
        void open(Path file, LogFormat format);
    }
}
