package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.experiment.ApplyRate;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.time.Duration;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench apply}: measures how fast a Satellite replays. */
final class ApplyCommand {
    private static final String CLIENTS = "16";
    private static final int SOME_SECONDS = 5;
    private static final int LONGEST_PAUSE = 300;

    private static final Option PAUSE = Arguments.value(
            "pause", "S", "Seconds for which the Satellite replays nothing (default: " + SOME_SECONDS + ").");

    static final Subcommand COMMAND = new Subcommand(
            "bench apply",
            "How fast a Satellite replays, and how it catches up after a pause.\n"
                    + "Clients run TPC-W's purchases: what the Master logs a second against what a Satellite replays; then the"
                    + " process that replays is stopped for a while, goes on, and has to catch up beside the same load.",
            CommonOptions.common(CLIENTS, PAUSE, TpcwCommand.EBS, TpcwCommand.ITEMS),
            ApplyCommand::run);

    private ApplyCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options = CommonOptions.ofSatellites(given, CLIENTS);
        int pause = given.number(PAUSE).orElse(SOME_SECONDS);
        if (pause < 1 || pause > LONGEST_PAUSE) {
            throw new ParseException("--pause: must be from 1 to " + LONGEST_PAUSE + ", not " + pause);
        }
        ApplyRate benchmark = new ApplyRate(TpcwCommand.scale(given), options.seed(), Duration.ofSeconds(pause));
        return CommonOptions.run(List.of(benchmark), options);
    }
}
