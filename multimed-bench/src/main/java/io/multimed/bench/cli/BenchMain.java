package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.cli.command.Program;
import io.multimed.core.spi.EngineException;
import java.util.List;

/** Entry point of {@code ./multimed bench} and {@code ./multimed demo}. */
public final class BenchMain {
    static final Program PROGRAM = new Program(
            new Program.Texts(
                    "multimed bench COMMAND [OPTIONS]",
                    "Measurements of Multimed and of what it is compared with.",
                    "multimed bench pgbench, multimed bench figures (scripts, each with --help)."),
            List.of(
                    DemoCommand.COMMAND,
                    TpcwCommand.COMMAND,
                    TpccCommand.COMMAND,
                    QuickCommand.COMMAND,
                    AllCommand.COMMAND,
                    TpcwCommand.BY_CLIENTS,
                    TpcwCommand.BY_CORES,
                    InteractionCommand.COMMAND,
                    FreshnessCommand.COMMAND,
                    ApplyCommand.COMMAND,
                    CloneCommand.COMMAND,
                    ReportCommand.COMMAND),
            List.of(),
            failure -> failure instanceof BenchException || failure instanceof EngineException
                    ? List.of(failure.getMessage())
                    : List.of());

    private BenchMain() {}

    public static void main(String[] args) {
        PROGRAM.runAndExit(args);
    }
}
