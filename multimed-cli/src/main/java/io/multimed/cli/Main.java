package io.multimed.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** Entry point of {@code ./multimed}. */
@Command(
        name = "multimed",
        mixinStandardHelpOptions = true,
        version = "multimed 0.1.0-SNAPSHOT",
        description = "Several PostgreSQL engines on one machine, as one database.",
        subcommands = {HelpCommand.class})
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
