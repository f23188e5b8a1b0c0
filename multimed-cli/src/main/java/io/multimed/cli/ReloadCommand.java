package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Reloaded;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import java.util.List;

/** {@code multimed reload}: lets a running instance read its configuration again. */
final class ReloadCommand {
    static final Subcommand COMMAND = new Subcommand(
            "reload",
            "Let a running instance read its configuration again, as SIGHUP does."
                    + "\nPrints what has changed, and what needs a restart. A configuration with a mistake changes nothing.",
            List.of(DirectoryOption.DIR),
            ReloadCommand::run);

    private ReloadCommand() {}

    private static int run(Arguments given) throws StartException, ConfigurationException {
        Home home = DirectoryOption.home(given);
        Reloaded result =
                Reloaded.read(ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.RELOAD));
        if (!result.problems().isEmpty()) {
            throw new ConfigurationException(result.problems());
        }
        result.lines().forEach(System.out::println);
        return 0;
    }
}
