package io.multimed.server.config;

import io.multimed.model.plan.Storage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Options of the command line; each overrides the corresponding key of the file. */
public record Overrides(
        Optional<String> listen,
        OptionalInt satellites,
        Optional<Storage> satelliteStorage,
        Optional<Path> engineBin,
        OptionalInt middlewareCores,
        OptionalInt masterCores) {
    public static final Overrides NONE = new Overrides(
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty());
}
