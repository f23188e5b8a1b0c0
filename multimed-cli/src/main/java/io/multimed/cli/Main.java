package io.multimed.cli;

import io.multimed.cli.command.Program;
import io.multimed.core.spi.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.startup.StartException;
import java.util.List;

/** Entry point of {@code ./multimed}. */
public final class Main {
    private static final Program PROGRAM = new Program(
            new Program.Texts(
                    "multimed [OPTIONS] COMMAND",
                    "Several PostgreSQL engines on one machine, as one database.",
                    "multimed test (the test suite), multimed build, multimed jdk."),
            List.of(
                    UpCommand.COMMAND,
                    StatusCommand.COMMAND,
                    DownCommand.COMMAND,
                    SqlCommand.COMMAND,
                    ExplainCommand.COMMAND,
                    PlanCommand.COMMAND,
                    LeanCommand.COMMAND,
                    BenchCommands.DEMO,
                    BenchCommands.BENCH),
            List.of(WarmUpCommand.COMMAND),
            Main::explain);

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("up")) {
            // The native transport takes a while to load, so it is loaded while the configuration is read.
            Thread.ofPlatform().daemon().name("multimed-preload").start(Multimed::preload);
        }
        PROGRAM.runAndExit(args);
    }

    private static List<String> explain(Exception failure) {
        return switch (failure) {
            case ConfigurationException wrong -> wrong.problems();
            case EngineException e -> List.of(e.getMessage());
            case StartException e -> List.of(e.getMessage());
            default -> List.of();
        };
    }
}
