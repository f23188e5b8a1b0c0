package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.StatusJson;
import java.util.List;
import org.apache.commons.cli.Option;

/** {@code multimed status}: shows the state of every node. */
final class StatusCommand {
    private static final Option JSON = Arguments.flag("json", "As one JSON object.");

    static final Subcommand COMMAND = new Subcommand(
            "status", "Show what every node is doing.", List.of(DirectoryOption.DIR, JSON), StatusCommand::run);

    private StatusCommand() {}

    private static int run(Arguments given) throws StartException {
        Home home = DirectoryOption.home(given);
        String answer = ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS);
        System.out.println(given.has(JSON) ? answer : StatusTable.of(StatusJson.read(answer)));
        return 0;
    }
}
