package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import java.time.Duration;
import java.util.List;

/** {@code multimed down}: ends a running instance and waits until it has ended. */
final class DownCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    static final Subcommand COMMAND = new Subcommand(
            "down",
            "End a running instance: transactions may finish, then the engines end; returns when all is done.",
            List.of(DirectoryOption.DIR),
            DownCommand::run);

    private DownCommand() {}

    private static int run(Arguments given) throws StartException, InterruptedException {
        Home home = DirectoryOption.home(given);
        String pid = ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.DOWN);
        if (!ProcessEnd.await(Long.parseLong(pid), PATIENCE)) {
            throw new StartException("the Multimed on " + home.directory() + " (process " + pid
                    + ") has not ended after " + PATIENCE.toMinutes() + " minutes; its log is " + home.log());
        }
        return 0;
    }
}
