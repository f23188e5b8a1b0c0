package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.experiment.CloneTime;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.SeveralSeries;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench clone}: measures how long the copy of a Satellite takes. */
final class CloneCommand {
    private static final String CLIENTS = "16";
    private static final String SIZES = "10,50,100";

    private static final Option EBS = Arguments.value(
            "ebs", "N", "Sizes: about 5 MB for each; several as 1-4 or 10,100 (default: " + SIZES + ").");

    static final Subcommand COMMAND = new Subcommand(
            "bench clone",
            "How long a Satellite is copied, by the size of the database.\n"
                    + "A Satellite loses its files and its engine; until it serves again, first beside nothing, then beside"
                    + " TPC-W's purchases, and what these lose meanwhile. bench report draws it over the size.",
            CommonOptions.common(CLIENTS, EBS, TpcwCommand.ITEMS),
            CloneCommand::run);

    private CloneCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options = CommonOptions.ofSatellites(given, CLIENTS);
        ConsoleLines console = new ConsoleLines(System.out, System.err);
        List<PostgresSeries<TpcwBefore>> all = new ArrayList<>();
        for (int ebs : CommonOptions.numbers(EBS, given.text(EBS).orElse(SIZES))) {
            CloneTime benchmark = new CloneTime(TpcwCommand.scale(given, ebs), options.seed());
            all.add(new PostgresSeries<>(List.of(benchmark), options, Program.VERSION, console));
        }
        return CommonOptions.run(new SeveralSeries(all, console)::run);
    }
}
