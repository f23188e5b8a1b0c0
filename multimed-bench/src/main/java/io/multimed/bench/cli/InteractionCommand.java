package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.experiment.LoadInteraction;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench interaction}: measures the cost of heavy queries to short ones beside them. */
final class InteractionCommand {
    private static final String CLIENTS = "16";
    private static final String NUMBERS_OF_HEAVY = "0,1,2,4,8,16";
    private static final int MOST_HEAVY = 20_000;

    private static final Option HEAVY = Arguments.value(
            "heavy",
            "N",
            "Clients with heavy interactions beside them, in turn; as 0-4 or 0,8 (default: " + NUMBERS_OF_HEAVY + ").");

    static final Subcommand COMMAND = new Subcommand(
            "bench interaction",
            "Latency of short TPC-W interactions while heavy ones run beside them.\n"
                    + "Some clients ask HOME, PROD and SREQ in turn, more and more others BESS and SRES: the load interaction of"
                    + " the EuroSys paper. The ratio says how many times less the 99th percentile is. bench report draws the"
                    + " curves.",
            CommonOptions.compared(CLIENTS, CommonOptions.BOTH_STANDALONE, HEAVY, TpcwCommand.EBS, TpcwCommand.ITEMS),
            InteractionCommand::run);

    private InteractionCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options =
                CommonOptions.read(given, CLIENTS, CommonOptions.EVERY_CORE, CommonOptions.BOTH_STANDALONE);
        TpcwScale scale = TpcwCommand.scale(given);
        List<Benchmark<TpcwBefore>> benchmarks = new ArrayList<>();
        for (int heavy : CommonOptions.numbers(HEAVY, given.text(HEAVY).orElse(NUMBERS_OF_HEAVY))) {
            if (heavy > MOST_HEAVY) {
                throw new ParseException("--heavy: must be from 0 to " + MOST_HEAVY + ", not " + heavy);
            }
            benchmarks.add(new LoadInteraction(scale, options.seed(), heavy));
        }
        return CommonOptions.run(benchmarks, options);
    }
}
