package io.multimed.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.dialect.Dialect;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.SeveralSeries;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.Before;
import io.multimed.bench.tpcw.population.Scale;
import io.multimed.bench.tpcw.workload.Mix;
import io.multimed.bench.tpcw.workload.Workload;
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
final class BenchTpcwCommand {
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

    private static final Defaults PLAIN = new Defaults("64", "8", BenchOptions.EVERY_CORE);
    /** Numbers of clients for curves over clients. */
    private static final Defaults OVER_CLIENTS =
            new Defaults("1,4,16,64,200,400,1000", "1,2,4,8,16", BenchOptions.EVERY_CORE);

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

    private BenchTpcwCommand() {}

    private static Subcommand command(String name, String description, Defaults defaults) {
        return new Subcommand(
                name,
                description,
                BenchOptions.compared(
                        defaults.told(),
                        defaults.cores().equals(BenchOptions.EVERY_CORE) ? "all" : defaults.cores(),
                        BenchOptions.STANDALONE,
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
        Dialect dialect = EngineOptions.read(given);
        List<SeriesOptions> each = BenchOptions.each(
                given,
                dialect.embedded() ? defaults.inside() : defaults.clients(),
                defaults.cores(),
                BenchOptions.STANDALONE);
        List<Workload> workloads = workloads(given);
        List<Scale> scales = new ArrayList<>();
        for (int ebs : BenchOptions.numbers(
                SIZES, given.text(SIZES).orElse(Integer.toString(dialect.embedded() ? FEW_EBS : SOME_EBS)))) {
            scales.add(scale(given, ebs));
        }
        // The number of Satellites has no meaning inside a JVM.
        return dialect.embedded()
                ? inside(dialect, workloads, scales, each.getFirst(), given)
                : beside(workloads, scales, each);
    }

    private static int inside(
            Dialect dialect, List<Workload> workloads, List<Scale> scales, SeriesOptions options, Arguments given)
            throws ParseException, BenchException {
        List<Tpcw> benchmarks = scales.stream()
                .flatMap(
                        scale -> workloads.stream().map(workload -> new Tpcw(workload, scale, dialect, options.seed())))
                .toList();
        return EngineOptions.run(benchmarks, dialect, options, given);
    }

    private static int beside(List<Workload> workloads, List<Scale> scales, List<SeriesOptions> each)
            throws BenchException {
        BenchConsole console = new BenchConsole(System.out, System.err);
        List<PostgresSeries<Before>> all = new ArrayList<>();
        for (Scale scale : scales) {
            for (SeriesOptions options : each) {
                List<Benchmark<Before>> benchmarks = workloads.stream()
                        .<Benchmark<Before>>map(workload -> new Tpcw(workload, scale, options.seed()))
                        .toList();
                all.add(new PostgresSeries<>(benchmarks, options, Main.VERSION_NAME, console));
            }
        }
        // A single series prints its own curves.
        return BenchOptions.run(all.size() == 1 ? all.getFirst()::run : new SeveralSeries(all, console)::run);
    }

    /** @return the exit status */
    static int run(Tpcw benchmark, SeriesOptions options) throws BenchException {
        return BenchOptions.run(List.of(benchmark), options);
    }

    private static List<Workload> workloads(Arguments given) throws ParseException {
        Set<Mix> mixes = mixes(given.text(MIX).orElse(Mix.BROWSING.text()));
        Optional<String> without = given.text(WITHOUT);
        Optional<String> only = given.text(ONLY);
        if (only.isPresent() && (without.isPresent() || given.text(MIX).isPresent())) {
            throw new ParseException(
                    "--only: stands in place of a mix, so that neither --mix nor --without goes with it");
        }
        try {
            if (only.isPresent()) {
                return List.of(Workload.only(Workload.interaction(only.get())));
            }
            return mixes.stream().map(mix -> workload(mix, without)).toList();
        } catch (IllegalArgumentException e) {
            throw new ParseException((only.isPresent() ? "--only: " : "--without: ") + e.getMessage());
        }
    }

    private static Workload workload(Mix mix, Optional<String> without) {
        return without.isPresent() ? Workload.without(mix, Workload.interaction(without.get())) : Workload.of(mix);
    }

    private static Set<Mix> mixes(String names) throws ParseException {
        Set<Mix> mixes = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            mixes.add(Arrays.stream(Mix.values())
                    .filter(mix -> mix.text().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new ParseException("--mix: there is no mix '" + name + "'; "
                            + Suggestion.of(
                                    name,
                                    Arrays.stream(Mix.values()).map(Mix::text).toList()))));
        }
        return mixes;
    }

    static Scale scale(Arguments given) throws ParseException {
        return scale(given, given.number(EBS).orElse(SOME_EBS));
    }

    static Scale scale(Arguments given, int ebs) throws ParseException {
        int items = given.number(ITEMS).orElse(10_000);
        if (!Scale.ITEMS.contains(items)) {
            throw new ParseException("--items: must be one of "
                    + Scale.ITEMS.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ", not " + items);
        }
        if (ebs < 1 || ebs > Scale.MOST_EBS) {
            throw new ParseException("--ebs: must be from 1 to " + Scale.MOST_EBS + ", not " + ebs);
        }
        return new Scale(ebs, items);
    }
}
