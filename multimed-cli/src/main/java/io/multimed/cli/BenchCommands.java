package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.List;
import org.apache.commons.cli.ParseException;

/** The commands of the benchmarks, as this program lists them. The launcher gives them to a program of their own. */
final class BenchCommands {
    static final Subcommand DEMO = elsewhere(
            "demo", "One PostgreSQL against Multimed on the same cores: TPC-W's browsing mix, in about two minutes.");
    static final Subcommand BENCH =
            elsewhere("bench", "Benchmarks: TPC-W, TPC-C and others; multimed help bench lists them.");

    private BenchCommands() {}

    private static Subcommand elsewhere(String name, String description) {
        return new Subcommand(name, description, List.of(), BenchCommands::refuse);
    }

    private static int refuse(Arguments given) throws ParseException {
        throw new ParseException("benchmarks are started by the script ./multimed only");
    }
}
