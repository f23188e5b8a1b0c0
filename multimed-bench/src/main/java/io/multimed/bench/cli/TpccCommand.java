package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.tpcc.Tpcc;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcc.workload.TpccMix;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench tpcc}: runs TPC-C, against PostgreSQL systems or with engines inside one JVM. */
final class TpccCommand {
    private static final String CLIENTS = "8";

    private static final Option MIX = Arguments.value(
            "mix", "8-92|50-50|80-20|100-0", "Reads and updates in per cent; 8-92 is TPC-C's own (default: 8-92).");
    private static final Option WAREHOUSES = Arguments.value(
            "warehouses",
            "N",
            "Scale: about 100 MB on disk for each, 8 times that as objects (default: 4; inside a JVM 1).");
    private static final Option SHRINK = Arguments.value(
            "shrink", "N", "Divides TPC-C's numbers of items and customers, for a quick look (default: 1).");

    static final Subcommand COMMAND = new Subcommand(
            "bench tpcc",
            "TPC-C at database level: PostgreSQL systems, or H2 and HSQLDB as replicas.\n"
                    + "No terminals, keying and think time: a result is no tpmC. After every run the consistency conditions"
                    + " of TPC-C are checked; a run that contradicts one is void, and the exit status 1. Ctrl-C ends it early,"
                    + " with status 130, and writes what was measured.",
            CommonOptions.compared(
                    CLIENTS,
                    CommonOptions.STANDALONE,
                    MIX,
                    EngineOptions.ENGINE,
                    EngineOptions.REPLICAS,
                    WAREHOUSES,
                    SHRINK),
            TpccCommand::run);

    private TpccCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options = CommonOptions.read(given, CLIENTS, CommonOptions.EVERY_CORE, CommonOptions.STANDALONE);
        BenchmarkDialect dialect = EngineOptions.read(given);
        List<String> mixes = Arrays.stream(TpccMix.values()).map(TpccMix::text).toList();
        int mix = mixes.indexOf(EngineOptions.oneOf(MIX, "mix", given.text(MIX).orElse("8-92"), mixes));
        List<Tpcc> benchmarks =
                List.of(new Tpcc(TpccMix.values()[mix], scale(given, dialect), dialect, options.seed()));
        return dialect.embedded()
                ? EngineOptions.run(benchmarks, dialect, options, given)
                : CommonOptions.run(benchmarks, options);
    }

    private static TpccScale scale(Arguments given, BenchmarkDialect dialect) throws ParseException {
        try {
            return new TpccScale(
                    given.number(WAREHOUSES).orElse(dialect.embedded() ? 1 : 4),
                    given.number(SHRINK).orElse(1));
        } catch (IllegalArgumentException e) {
            throw new ParseException(e.getMessage());
        }
    }
}
