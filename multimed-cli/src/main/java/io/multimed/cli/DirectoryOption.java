package io.multimed.cli;

import io.multimed.server.home.Home;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which instance is meant. */
final class DirectoryOption {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the instance, or an existing PostgreSQL data directory"
                    + " (default: ~/.local/share/multimed, or /var/lib/multimed as root).")
    @Nullable
    Path directory;

    Path path() {
        Path named = directory;
        return (named == null ? Home.defaultDirectory(System.getenv()) : named)
                .toAbsolutePath()
                .normalize();
    }

    Home home() {
        return Home.of(path());
    }
}
