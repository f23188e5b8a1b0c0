package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import io.multimed.core.spi.EngineException;
import java.util.ArrayList;
import java.util.List;

/** Entry point of {@code ./multimed bench} and {@code ./multimed demo}. */
public final class BenchMain {
    static final Program PROGRAM = new Program(
            new Program.Texts(
                    "multimed bench COMMAND [OPTIONS]",
                    "Measurements of Multimed and of what it is compared with.",
                    "multimed bench pgbench, multimed bench figures (scripts, each with --help)."),
            commands(),
            List.of(),
            failure -> failure instanceof BenchException || failure instanceof EngineException
                    ? List.of(failure.getMessage())
                    : List.of());

    private BenchMain() {}

    private static List<Subcommand> commands() {
        List<Subcommand> commands = new ArrayList<>(List.of(DemoCommand.COMMAND));
        Benchmarks.ALL.forEach(benchmark -> commands.add(benchmark.subcommand()));
        commands.addAll(List.of(QuickCommand.COMMAND, AllCommand.COMMAND, ReportCommand.COMMAND));
        return List.copyOf(commands);
    }

    public static void main(String[] args) {
        PROGRAM.runAndExit(args);
    }
}
