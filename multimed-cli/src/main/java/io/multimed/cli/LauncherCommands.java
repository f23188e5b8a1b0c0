package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.List;
import org.apache.commons.cli.ParseException;

/** Commands of a source checkout, as this program lists them. The launcher gives them to programs of their own. */
final class LauncherCommands {
    static final List<Subcommand> ALL = List.of(
            elsewhere(
                    "demo",
                    "One PostgreSQL against Multimed on the same cores: TPC-W's browsing mix, in about two minutes."),
            elsewhere("bench", "Benchmarks: TPC-W, TPC-C and others; multimed help bench lists them."),
            elsewhere("dist", "Make a self-contained archive and a Debian package of this checkout."));

    private LauncherCommands() {}

    private static Subcommand elsewhere(String name, String description) {
        return new Subcommand(name, description, List.of(), LauncherCommands::refuse);
    }

    private static int refuse(Arguments given) throws ParseException {
        throw new ParseException("benchmarks and distributions are started by the script ./multimed only");
    }
}
