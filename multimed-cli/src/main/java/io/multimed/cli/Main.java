package io.multimed.cli;

import io.multimed.engine.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.StartException;
import io.multimed.server.config.ConfigurationException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Entry point of {@code ./multimed}. */
@Command(
        name = "multimed",
        mixinStandardHelpOptions = true,
        version = "multimed 0.1.0-SNAPSHOT",
        description = "Several PostgreSQL engines on one machine, as one database.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Also: multimed test (the test suite), multimed build, multimed jdk."},
        subcommands = {
            UpCommand.class,
            StatusCommand.class,
            DownCommand.class,
            SqlCommand.class,
            PlanCommand.class,
            WarmUpCommand.class,
            HelpCommand.class
        })
public final class Main implements Runnable {
    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("up")) {
            // Reading the command line takes as long as loading the native transport: both at once.
            Thread.ofPlatform().daemon().name("multimed-preload").start(Multimed::preload);
        }
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Main::explain)
                .setParameterExceptionHandler(Main::explainUsage);
    }

    /** Without a command: what there is. */
    @Override
    public void run() {
        CommandLine.usage(this, System.err);
    }

    /** One sentence for what a person can mend; a stack trace only for what must not happen. */
    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof ConfigurationException wrong) {
            wrong.problems().forEach(problem -> err.println("multimed: " + problem));
        } else if (failure instanceof EngineException || failure instanceof StartException) {
            err.println("multimed: " + failure.getMessage());
        } else if (failure instanceof InterruptedException) {
            err.println("multimed: interrupted");
        } else {
            err.println("multimed: internal error, please report it: " + failure);
            for (StackTraceElement element : failure.getStackTrace()) {
                err.println("    at " + element);
            }
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static int explainUsage(CommandLine.ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("multimed: " + failure.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            command.getErr()
                    .println(
                            "See: multimed help" + (command.getParent() == null ? "" : " " + command.getCommandName()));
        }
        command.getErr().flush();
        return CommandLine.ExitCode.USAGE;
    }
}
