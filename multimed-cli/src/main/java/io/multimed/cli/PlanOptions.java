package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.Overrides;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** The options that {@code up} and {@code plan} share. */
final class PlanOptions {
    private static final Option SATELLITES =
            Arguments.value("satellites", "N", "How many Satellites (default: by cores and memory).");
    private static final Option SATELLITE_STORAGE = Arguments.value(
            "satellite-storage", "memory|disk", "Where Satellites keep their copies (default: memory).");
    private static final Option MIDDLEWARE_CORES =
            Arguments.value("middleware-cores", "N", "Physical cores for the middleware (default: by the machine).");
    private static final Option MASTER_CORES =
            Arguments.value("master-cores", "N", "Physical cores for the Master (default: by the machine).");

    static final List<Option> ALL = List.of(SATELLITES, SATELLITE_STORAGE, MIDDLEWARE_CORES, MASTER_CORES);

    private PlanOptions() {}

    static Overrides overrides(Arguments given, Optional<String> listen, Optional<Path> engineBin)
            throws ParseException {
        return new Overrides(
                listen,
                given.number(SATELLITES),
                given.oneOf(SATELLITE_STORAGE, Storage.class),
                engineBin.map(Path::toAbsolutePath),
                given.number(MIDDLEWARE_CORES),
                given.number(MASTER_CORES));
    }
}
