package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench freshness}: measures the cost of strong reads, and how much other reads miss. */
final class FreshnessCommand {
    private static final String CLIENTS = "16";
    private static final String EACH_FRESHNESS = "multimed,multimed-session,multimed-eventual";
    private static final int SOME_UPDATES = 10;

    private static final Option UPDATES =
            Arguments.value("updates", "N", "Of all transactions, in per cent (default: " + SOME_UPDATES + ").");

    static final Subcommand COMMAND = new Subcommand(
            "bench freshness",
            "What strong, session and eventual freshness cost, and what they show.\n"
                    + "Clients update a row of their own and read anybody's: how many reads waited for a Satellite and how"
                    + " long, how soon a commit is to be seen there, how many reads missed one and how old it was. A run in"
                    + " which a strong read misses a commit is void, as is one whose session reads backwards, unless it is"
                    + " eventual.",
            CommonOptions.compared(CLIENTS, EACH_FRESHNESS, UPDATES),
            FreshnessCommand::run);

    private FreshnessCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options = CommonOptions.read(given, CLIENTS, CommonOptions.EVERY_CORE, EACH_FRESHNESS);
        FreshnessLoad benchmark;
        try {
            benchmark = new FreshnessLoad(given.number(UPDATES).orElse(SOME_UPDATES));
        } catch (IllegalArgumentException e) {
            throw new ParseException(e.getMessage());
        }
        return CommonOptions.run(List.of(benchmark), options);
    }
}
