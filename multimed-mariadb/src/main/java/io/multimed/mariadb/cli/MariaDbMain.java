package io.multimed.mariadb.cli;

import io.multimed.cli.command.Program;
import io.multimed.core.spi.EngineException;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.startup.StartException;
import java.util.List;

/** Entry point of {@code ./multimed up --engine mariadb}. */
public final class MariaDbMain {
    private static final Program PROGRAM = new Program(
            new Program.Texts(
                    "multimed up --engine mariadb [OPTIONS]",
                    "Several MariaDB engines on one machine, as one database.",
                    "multimed help."),
            List.of(MariaDbUpCommand.COMMAND),
            List.of(),
            MariaDbMain::explain);

    private MariaDbMain() {}

    public static void main(String[] args) {
        PROGRAM.runAndExit(args);
    }

    private static List<String> explain(Exception failure) {
        return switch (failure) {
            case ConfigurationException wrong -> wrong.problems();
            case EngineException e -> List.of(String.valueOf(e.getMessage()));
            case StartException e -> List.of(String.valueOf(e.getMessage()));
            default -> List.of();
        };
    }
}
