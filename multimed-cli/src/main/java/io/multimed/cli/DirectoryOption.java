package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.server.home.Home;
import java.nio.file.Path;
import org.apache.commons.cli.Option;

/** The option that selects an instance. */
final class DirectoryOption {
    static final Option DIR = Arguments.value(
            "dir",
            "DIR",
            "Directory of the instance, or an existing PostgreSQL data directory"
                    + " (default: ~/.local/share/multimed, or /var/lib/multimed as root).");

    private DirectoryOption() {}

    static Path path(Arguments given) {
        return given.path(DIR).orElseGet(() -> Home.defaultDirectory(System.getenv()));
    }

    /** Returns the home that a command about a running instance is about. */
    static Home home(Arguments given) {
        return Home.of(given.path(DIR).orElseGet(() -> Home.defaultOfRunning(System.getenv())));
    }
}
