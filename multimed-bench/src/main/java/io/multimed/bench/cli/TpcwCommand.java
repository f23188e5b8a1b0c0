package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.SeveralSeries;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.TpcwMix;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.config.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench tpcw}: runs the papers' benchmark, against PostgreSQL systems or with engines inside one JVM. */
final class TpcwCommand {
    private static final Option MIX = Arguments.value(
            "mix", "NAMES", "How often which interaction: browsing, shopping, ordering, in turn (default: browsing).");
    private static final Option WITHOUT =
            Arguments.value("without", "CODE", "Leaves one interaction of the mix out, such as bess.");
    private static final Option ONLY =
            Arguments.value("only", "CODE", "One interaction again and again in place of a mix, such as bess.");
    static final Option EBS =
            Arguments.value("ebs", "N", "Scale: 2,880 customers and about 5 MB for each (default: 100).");
    private static final Option SIZES = Arguments.value(
            "ebs",
            "N",
            "Scale: 2,880 customers and about 5 MB for each, 8 times that as objects; several as 10,100, one after the other"
                    + " (default: 100; inside a JVM 10).");
    static final Option ITEMS =
            Arguments.value("items", "N", "Scale: 1000, 10000, 100000, ... items (default: 10000).");

    private static final int SOME_EBS = 100;
    /** Number of EBs inside a JVM, where a database is loaded anew for each run. */
    private static final int FEW_EBS = 10;

    /**
     * The default numbers of clients and cores of a command.
     *
     * @param clients of PostgreSQL systems
     * @param inside of engines inside a JVM, which clients keep busy on the same processors
     */
    private record Defaults(String clients, String inside, String cores) {
        String told() {
            return clients + "; inside a JVM " + inside;
        }
    }

    private static final Defaults PLAIN = new Defaults("64", "8", CommonOptions.EVERY_CORE);
    /** Numbers of clients for curves over clients. */
    private static final Defaults OVER_CLIENTS =
            new Defaults("1,4,16,64,200,400,1000", "1,2,4,8,16", CommonOptions.EVERY_CORE);

    private static final Defaults OVER_CORES = new Defaults(
            "64",
            "8",
            SeriesOptions.coresUpTo(Runtime.getRuntime().availableProcessors()).stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(",")));

    static final Subcommand COMMAND = command(
            "bench tpcw",
            "TPC-W at database level: PostgreSQL systems, or H2 and HSQLDB as replicas.\n"
                    + "Every system runs on a fresh copy of the same data; a run whose database contradicts itself"
                    + " afterwards is void, and the exit status 1. Ctrl-C ends it early, with status 130, and writes what"
                    + " was measured. Sessions end by a clock of think times, none of which is waited for. Of several --ebs or"
                    + " --satellites bench report draws the curves.",
            PLAIN);

    static final Subcommand BY_CLIENTS = command(
            "bench clients",
            "TPC-W over the number of clients.\nbench tpcw with several numbers of clients; bench report draws the curves.",
            OVER_CLIENTS);

    static final Subcommand BY_CORES = command(
            "bench cores",
            "TPC-W over the number of cores.\nbench tpcw with several numbers of cores, to which systems are bound; the load"
                    + " generator may use all, but for that of engines inside its JVM. bench report draws the curves.",
            OVER_CORES);

    private TpcwCommand() {}

    private static Subcommand command(String name, String description, Defaults defaults) {
        return new Subcommand(
                name,
                description,
                CommonOptions.compared(
                        defaults.told(),
                        defaults.cores().equals(CommonOptions.EVERY_CORE) ? "all" : defaults.cores(),
                        CommonOptions.STANDALONE,
                        MIX,
                        WITHOUT,
                        ONLY,
                        EngineOptions.ENGINE,
                        EngineOptions.REPLICAS,
                        SIZES,
                        ITEMS),
                given -> run(given, defaults));
    }

    private static int run(Arguments given, Defaults defaults) throws ParseException, BenchException {
        BenchmarkDialect dialect = EngineOptions.read(given);
        List<SeriesOptions> each = CommonOptions.each(
                given,
                dialect.embedded() ? defaults.inside() : defaults.clients(),
                defaults.cores(),
                CommonOptions.STANDALONE);
        List<TpcwWorkload> workloads = workloads(given);
        List<TpcwScale> scales = new ArrayList<>();
        for (int ebs : CommonOptions.numbers(
                SIZES, given.text(SIZES).orElse(Integer.toString(dialect.embedded() ? FEW_EBS : SOME_EBS)))) {
            scales.add(scale(given, ebs));
        }
        // The number of Satellites has no meaning inside a JVM.
        return dialect.embedded()
                ? inside(dialect, workloads, scales, each.getFirst(), given)
                : beside(workloads, scales, each);
    }

    private static int inside(
            BenchmarkDialect dialect,
            List<TpcwWorkload> workloads,
            List<TpcwScale> scales,
            SeriesOptions options,
            Arguments given)
            throws ParseException, BenchException {
        List<Tpcw> benchmarks = scales.stream()
                .flatMap(
                        scale -> workloads.stream().map(workload -> new Tpcw(workload, scale, dialect, options.seed())))
                .toList();
        return EngineOptions.run(benchmarks, dialect, options, given);
    }

    private static int beside(List<TpcwWorkload> workloads, List<TpcwScale> scales, List<SeriesOptions> each)
            throws BenchException {
        ConsoleLines console = new ConsoleLines(System.out, System.err);
        List<PostgresSeries<TpcwBefore>> all = new ArrayList<>();
        for (TpcwScale scale : scales) {
            for (SeriesOptions options : each) {
                List<Benchmark<TpcwBefore>> benchmarks = workloads.stream()
                        .<Benchmark<TpcwBefore>>map(workload -> new Tpcw(workload, scale, options.seed()))
                        .toList();
                all.add(new PostgresSeries<>(benchmarks, options, Program.VERSION, console));
            }
        }
        // A single series prints its own curves.
        return CommonOptions.run(all.size() == 1 ? all.getFirst()::run : new SeveralSeries(all, console)::run);
    }

    /** @return the exit status */
    static int run(Tpcw benchmark, SeriesOptions options) throws BenchException {
        return CommonOptions.run(List.of(benchmark), options);
    }

    private static List<TpcwWorkload> workloads(Arguments given) throws ParseException {
        Set<TpcwMix> mixes = mixes(given.text(MIX).orElse(TpcwMix.BROWSING.text()));
        Optional<String> without = given.text(WITHOUT);
        Optional<String> only = given.text(ONLY);
        if (only.isPresent() && (without.isPresent() || given.text(MIX).isPresent())) {
            throw new ParseException(
                    "--only: stands in place of a mix, so that neither --mix nor --without goes with it");
        }
        try {
            if (only.isPresent()) {
                return List.of(TpcwWorkload.only(TpcwWorkload.interaction(only.get())));
            }
            return mixes.stream().map(mix -> workload(mix, without)).toList();
        } catch (IllegalArgumentException e) {
            throw new ParseException((only.isPresent() ? "--only: " : "--without: ") + e.getMessage());
        }
    }

    private static TpcwWorkload workload(TpcwMix mix, Optional<String> without) {
        return without.isPresent()
                ? TpcwWorkload.without(mix, TpcwWorkload.interaction(without.get()))
                : TpcwWorkload.of(mix);
    }

    private static Set<TpcwMix> mixes(String names) throws ParseException {
        Set<TpcwMix> mixes = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            mixes.add(Arrays.stream(TpcwMix.values())
                    .filter(mix -> mix.text().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new ParseException("--mix: there is no mix '" + name + "'; "
                            + Suggestion.of(
                                    name,
                                    Arrays.stream(TpcwMix.values())
                                            .map(TpcwMix::text)
                                            .toList()))));
        }
        return mixes;
    }

    static TpcwScale scale(Arguments given) throws ParseException {
        return scale(given, given.number(EBS).orElse(SOME_EBS));
    }

    static TpcwScale scale(Arguments given, int ebs) throws ParseException {
        int items = given.number(ITEMS).orElse(10_000);
        if (!TpcwScale.ITEMS.contains(items)) {
            throw new ParseException("--items: must be one of "
                    + TpcwScale.ITEMS.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ", not "
                    + items);
        }
        if (ebs < 1 || ebs > TpcwScale.MOST_EBS) {
            throw new ParseException("--ebs: must be from 1 to " + TpcwScale.MOST_EBS + ", not " + ebs);
        }
        return new TpcwScale(ebs, items);
    }
}
