package io.multimed.cli;

import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.Installation;
import io.multimed.server.Multimed;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.startup.StartException;
import java.util.List;
import java.util.stream.Stream;

/** Entry point of {@code ./multimed}. */
public final class Main {
    private static final List<Subcommand> COMMANDS = List.of(
            UpCommand.COMMAND,
            StatusCommand.COMMAND,
            ReloadCommand.COMMAND,
            DownCommand.COMMAND,
            SqlCommand.COMMAND,
            ExplainCommand.COMMAND,
            PlanCommand.COMMAND,
            LeanCommand.COMMAND,
            DoctorCommand.COMMAND,
            SupportBundleCommand.COMMAND);

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("up")) {
            // The native transport takes a while to load, so it is loaded while the configuration is read.
            Thread.ofPlatform().daemon().name("multimed-preload").start(Multimed::preload);
        }
        (Installation.present().isPresent() ? installed() : ofCheckout()).runAndExit(args);
    }

    /** Returns the program of a distribution. */
    public static Program installed() {
        return program(COMMANDS, "man multimed, where a package was installed.");
    }

    /** Returns the program of a source checkout, in which the script knows commands of its own. */
    private static Program ofCheckout() {
        return program(
                Stream.of(COMMANDS, LauncherCommands.ALL).flatMap(List::stream).toList(),
                "multimed test (the test suite), multimed build, multimed jdk.");
    }

    private static Program program(List<Subcommand> commands, String also) {
        return new Program(
                new Program.Texts(
                        "multimed [OPTIONS] COMMAND",
                        "Several PostgreSQL engines on one machine, as one database.",
                        also),
                commands,
                List.of(WarmUpCommand.COMMAND),
                Main::explain);
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
