package io.multimed.cli;

import io.multimed.model.plan.Storage;
import io.multimed.server.config.Overrides;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that {@code up} and {@code plan} share. */
final class PlanOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration (default: DIR/multimed.toml, if there).")
    @Nullable
    Path config;

    @Option(
            names = "--satellites",
            paramLabel = "N",
            description = "How many Satellites (default: by cores and memory).")
    @Nullable
    Integer satellites;

    @Option(
            names = "--satellite-storage",
            paramLabel = "memory|disk",
            description = "Where Satellites keep their copies (default: memory).")
    @Nullable
    Storage satelliteStorage;

    @Option(names = "--middleware-cores", paramLabel = "N", description = "Physical cores for the middleware.")
    @Nullable
    Integer middlewareCores;

    @Option(names = "--master-cores", paramLabel = "N", description = "Physical cores for the Master.")
    @Nullable
    Integer masterCores;

    Overrides overrides(@Nullable String listen, @Nullable Path engineBin) {
        return new Overrides(
                Optional.ofNullable(listen),
                optional(satellites),
                Optional.ofNullable(satelliteStorage),
                Optional.ofNullable(engineBin).map(Path::toAbsolutePath),
                optional(middlewareCores),
                optional(masterCores));
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
