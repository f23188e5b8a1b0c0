package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.lean.LeanAnswer;
import io.multimed.server.startup.StartException;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed lean}: shows which indexes partial Satellites could have instead of the Master, and moves them. */
final class LeanCommand {
    private static final Option APPLY = Arguments.optionalValue(
            "apply",
            "INDEX",
            "Move this index, or all that are proposed, to the partial Satellites that carry its table.");
    private static final Option UNDO =
            Arguments.optionalValue("undo", "INDEX", "Make this index, or all that were moved, on the Master again.");

    static final Subcommand COMMAND = new Subcommand(
            "lean",
            "Show which indexes partial Satellites could have instead of the Master, or move them.",
            List.of(DirectoryOption.DIR, APPLY, UNDO),
            LeanCommand::run);

    private LeanCommand() {}

    private static int run(Arguments given) throws StartException, ParseException {
        if (given.has(APPLY) && given.has(UNDO)) {
            throw new ParseException("--apply and --undo exclude each other");
        }
        Home home = DirectoryOption.home(given);
        ControlRequest request = given.has(APPLY)
                ? ControlRequest.LEAN_APPLY
                : given.has(UNDO) ? ControlRequest.LEAN_UNDO : ControlRequest.LEAN;
        String index = given.text(APPLY).or(() -> given.text(UNDO)).orElse("");
        LeanAnswer answer = LeanAnswer.read(ControlClient.ask(home.controlSocket(), home.directory(), request, index));
        if (request == ControlRequest.LEAN) {
            System.out.println(LeanTable.of(answer.rows()));
        } else {
            answer.done().forEach(System.out::println);
            if (answer.done().isEmpty() && answer.problem().isEmpty()) {
                System.out.println(
                        request == ControlRequest.LEAN_APPLY
                                ? "There is nothing to move; multimed lean says why."
                                : "No index has been moved.");
            }
        }
        if (!answer.problem().isEmpty()) {
            System.out.flush();
            throw new StartException(answer.problem());
        }
        return 0;
    }
}
