package io.multimed.dist;

import io.multimed.cli.command.Program;
import io.multimed.core.spi.EngineException;
import java.util.List;

/** Entry point of {@code ./multimed dist}. */
public final class DistMain {
    private static final Program PROGRAM = new Program(
            new Program.Texts(
                    "multimed dist [OPTIONS]",
                    "A self-contained archive and a Debian package of this checkout.",
                    "multimed help."),
            List.of(DistCommand.COMMAND),
            List.of(),
            DistMain::explain);

    private DistMain() {}

    public static void main(String[] args) {
        PROGRAM.runAndExit(args);
    }

    private static List<String> explain(Exception failure) {
        return switch (failure) {
            case DistException e -> List.of(String.valueOf(e.getMessage()));
            case EngineException e -> List.of(String.valueOf(e.getMessage()));
            default -> List.of();
        };
    }
}
