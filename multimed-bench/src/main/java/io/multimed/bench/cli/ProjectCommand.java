package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.projection.Projections;
import io.multimed.bench.report.Run;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench project}: projects results to machines with more cores. */
final class ProjectCommand {
    private static final String STANDARD =
            Projections.STANDARD_CORES.stream().map(String::valueOf).collect(Collectors.joining(","));
    private static final Option CORES =
            Arguments.value("cores", "LIST", "Of the machines to project to (default: " + STANDARD + ").");

    static final Subcommand COMMAND = new Subcommand(
            "bench project",
            "Project what bench cores measured to machines of more cores.\n"
                    + "By the Universal Scalability Law, fitted to each system's throughputs, and by a simulation of what the"
                    + " middleware, the Master and so many Satellites would have to do; both are first held against what was"
                    + " measured. Ranges, not numbers: where the runs do not determine something, the range of all that fits."
                    + " Prints it, and writes DIR/projection.html with charts.",
            List.of(ReportCommand.RESULTS, CORES),
            ProjectCommand::run,
            Optional.of(ReportCommand.RESULTS));

    private ProjectCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        List<Integer> cores = CommonOptions.numbers(CORES, given.text(CORES).orElse(STANDARD));
        Path directory = ReportCommand.directory(given);
        List<Run> runs = ReportCommand.read(directory);
        Projections.Told told;
        try {
            told = Projections.of(runs, cores);
        } catch (IllegalArgumentException e) {
            throw new ParseException(Arguments.name(CORES) + ": " + e.getMessage());
        }
        System.out.print(told.text());
        System.out.println(told.page().write(directory, Projections.PAGE));
        return 0;
    }
}
