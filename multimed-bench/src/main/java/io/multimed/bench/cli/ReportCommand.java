package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.full.FullRun;
import io.multimed.bench.report.HtmlReport;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;

/** {@code multimed bench report}: writes results as a page. */
final class ReportCommand {
    static final Option RESULTS =
            Arguments.value("results", "DIR", "Where bench left its JSON files (default: results).");

    static final Subcommand COMMAND = new Subcommand(
            "bench report",
            "Write DIR/report.html, one page that needs no other file, of all results in DIR.\n"
                    + "DIR/medians.csv has a line for each system at each place.",
            List.of(RESULTS),
            ReportCommand::run,
            Optional.of(RESULTS));

    private ReportCommand() {}

    private static int run(Arguments given) throws BenchException {
        System.out.println(write(directory(given)));
        return 0;
    }

    static Path directory(Arguments given) throws BenchException {
        Path directory = given.path(RESULTS).orElse(Path.of("results"));
        if (!Files.isDirectory(directory)) {
            throw new BenchException("--results: there is no directory " + directory);
        }
        return directory;
    }

    static List<Run> read(Path directory) throws BenchException {
        List<Run> runs = RunFiles.read(directory);
        if (runs.isEmpty()) {
            throw new BenchException("there are no results in " + directory);
        }
        return runs;
    }

    /** @return the page */
    static Path write(Path directory) throws BenchException {
        Path plan = directory.resolve(FullRun.PLAN);
        try {
            return HtmlReport.of(read(directory), Files.exists(plan) ? Files.readString(plan) : "")
                    .write(directory);
        } catch (IOException e) {
            throw new BenchException("cannot read " + plan + ": " + e, e);
        }
    }
}
