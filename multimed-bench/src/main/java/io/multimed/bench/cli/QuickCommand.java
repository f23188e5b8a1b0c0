package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.quick.Quick;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;

/** {@code multimed bench quick}: whether headline ratios have fallen. */
final class QuickCommand {
    private static final Option BASELINE = Arguments.value(
            "baseline", "FILE", "The stored ratios, with the machine they are of (default: bench/quick.json).");
    private static final Option STORE =
            Arguments.flag("store", "Store what is measured, instead of comparing with it.");

    static final Subcommand COMMAND = new Subcommand(
            "bench quick",
            "Whether Multimed has become slower, in less than three minutes.\n"
                    + "TPC-W's three mixes against one PostgreSQL in the same minutes; exit status 1 and a line that says"
                    + " FALLEN for each ratio that is more than 10 % below the stored one, measured twice, which takes up to a minute more"
                    + " for each. Clients warm up until throughput has stopped rising. Ratios are of one machine: with another one's it ends before anything is measured.",
            List.of(BASELINE, STORE, RunOptions.OUT.option(), RunOptions.WORK.option()),
            QuickCommand::run);

    private QuickCommand() {}

    private static int run(Arguments given) throws BenchException {
        Console console = new ConsoleLines(System.out, System.err);
        List<String> places = List.of(
                "--out",
                RunOptions.path(RunOptions.OUT, given).toString(),
                "--work",
                RunOptions.path(RunOptions.WORK, given).toString());
        return BenchCommand.run(new Quick(
                given.path(BASELINE).orElse(standard()).toAbsolutePath(),
                given.has(STORE),
                line -> {
                    List<String> words = new ArrayList<>(List.of(line.split(" ")));
                    words.addAll(places);
                    return BenchCommand.described(words, console, List.of());
                },
                Program.VERSION,
                console)::run);
    }

    /** Returns the file beside the launcher, in the checkout. */
    private static Path standard() {
        String launcher = System.getenv("MULTIMED_LAUNCHER");
        return Path.of(launcher == null ? "." : launcher)
                .resolveSibling("bench")
                .resolve("quick.json");
    }
}
