package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.cli.BenchCommand.Call;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.indexed.IndexedInserts;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.EmbeddedEngine;
import io.multimed.bench.series.EmbeddedSeries;
import io.multimed.bench.series.Series;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.ServerSeries;
import io.multimed.bench.series.SeveralSeries;
import io.multimed.bench.system.MariaDbKind;
import io.multimed.bench.system.ServerKind;
import io.multimed.bench.tpcc.Tpcc;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcc.workload.TpccMix;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.TpcwExperiment;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** The commands that describe runs. */
final class Benchmarks {
    /** As in the first paper. */
    private static final int CORES_OF_EACH = 4;

    private static final int MOST_CORES_OF_EACH = 64;
    private static final int MOST_HEAVY = 20_000;
    private static final int MOST_REPLICAS = 64;
    /** More would take so long that the supervisor gives a stopped Satellite up. */
    private static final int MOST_BACKLOG = 100_000;

    private static final int MOST_UNIQUE = 8;
    private static final int MOST_ROWS = 1_000_000_000;
    private static final int MOST_BATCH = 100_000;

    private static final Choice SCALED_EBS = TpcwChoices.EBS.or("400", "400, which are 2 GB");
    private static final Choice EACH = Choice.of(
            "engine-cores",
            "N",
            "Cores of the middleware, the Master and each Satellite; fewer than three times as many are shared as Multimed plans"
                    + " it",
            Integer.toString(CORES_OF_EACH));
    private static final Choice CLONED_SIZES =
            Choice.of("ebs", "N", "Sizes: about 5 MB for each; several as 1-4 or 10,100", "10,50,100");
    private static final Choice ENGINE = Choice.of(
            "engine",
            "postgresql|h2|hsqldb",
            "PostgreSQL systems, or an engine inside the JVM of its clients",
            "postgresql");
    private static final Choice TPCW_ENGINE = Choice.of(
            "engine",
            "postgresql|mariadb|h2|hsqldb",
            "PostgreSQL or MariaDB systems, or an engine inside the JVM of its clients",
            "postgresql");
    private static final Choice REPLICAS = Choice.of(
            "replicas",
            "LIST",
            "Of h2 or hsqldb behind jdbc:multimed:, as 1,3 or 1-4; compared with the engine alone",
            "1,3");
    private static final Choice TPCC_MIX =
            Choice.of("mix", "8-92|50-50|80-20|100-0", "Reads and updates in per cent; 8-92 is TPC-C's own", "8-92");
    private static final Choice WAREHOUSES = Choice.of(
            "warehouses",
            "N",
            "Scale: about 100 MB on disk for each, 8 times that as objects",
            "4",
            "4; inside a JVM 1");
    static final Choice SHRINK =
            Choice.of("shrink", "N", "Divides TPC-C's numbers of items and customers, for a quick look", "1");
    private static final Choice HEAVY = Choice.of(
            "heavy", "N", "Clients with heavy interactions beside them, in turn; as 0-4 or 0,8", "0,1,2,4,8,16");
    private static final Choice STREAM = HEAVY.or("4", "4");
    private static final Choice UPDATES = Choice.of("updates", "N", "Of all transactions, in per cent", "10");
    private static final Choice BACKLOG =
            Choice.of("backlog", "N", "Transactions that the copy has to catch up with", "20000");
    private static final Choice UNIQUE = Choice.of(
            "unique", "N", "Unique indexes on each table beside its primary key, in turn; as 0-2 or 0,2", "0,2");
    private static final Choice ROWS = Choice.of("rows", "N", "Rows that the table begins with", "1000000");
    private static final Choice BATCH = Choice.of("batch", "N", "Rows of an insert", "100");
    private static final Choice READS = Choice.of("reads", "N", "Of all transactions, in per cent", "50");

    private static final Set<BenchmarkDialect> TPCW_ENGINES = EnumSet.allOf(BenchmarkDialect.class);
    private static final Set<BenchmarkDialect> TPCC_ENGINES =
            EnumSet.complementOf(EnumSet.of(BenchmarkDialect.MARIADB));

    /** Clients of engines inside a JVM, which clients keep busy on the same processors. */
    private static final String INSIDE = "8";
    /** Number of EBs inside a JVM, where a database is loaded anew for each run. */
    private static final String FEW_EBS = "10";

    static final List<BenchCommand> ALL = List.of(
            new BenchCommand(
                    "tpcw",
                    "TPC-W at database level: PostgreSQL or MariaDB systems, or H2 and HSQLDB as replicas.\n"
                            + "Every system runs on a fresh copy of the same data; a run whose database contradicts itself"
                            + " afterwards is void, and the exit status 1. Ctrl-C ends it early, with status 130, and writes what"
                            + " was measured. Sessions end by a clock of think times, none of which is waited for. Of several"
                            + " --clients, --cores, --ebs or --satellites bench report draws the curves. Systems are bound to --cores;"
                            + " the load generator may use all, but for that of engines inside its JVM.",
                    List.of(
                            TpcwChoices.MIX,
                            TpcwChoices.WITHOUT,
                            TpcwChoices.ONLY,
                            TpcwChoices.SHARES,
                            TPCW_ENGINE,
                            REPLICAS,
                            TpcwChoices.SIZES,
                            TpcwChoices.ITEMS),
                    RunOptions.compared(
                            RunOptions.CLIENTS.or("64", "64; inside a JVM " + INSIDE), RunOptions.STANDALONE),
                    Benchmarks::tpcw),
            new BenchCommand(
                    "tpcc",
                    "TPC-C at database level: PostgreSQL systems, or H2 and HSQLDB as replicas.\n"
                            + "No terminals, keying and think time: a result is no tpmC. After every run the consistency conditions"
                            + " of TPC-C are checked; a run that contradicts one is void, and the exit status 1. Ctrl-C ends it early,"
                            + " with status 130, and writes what was measured.",
                    List.of(TPCC_MIX, ENGINE, REPLICAS, WAREHOUSES, SHRINK),
                    RunOptions.compared(RunOptions.CLIENTS.or("8", "8"), RunOptions.STANDALONE),
                    Benchmarks::tpcc),
            new BenchCommand(
                    "scale",
                    "TPC-W over the number of cores, with Satellites that grow with it, as the first paper ran it.\n"
                            + "Middleware, Master and each Satellite have some cores; there are as many Satellites as the rest holds."
                            + " C0 has them on disk, C1 (multimed) in memory; C2 has one for Best Sellers in the place of one of"
                            + " several. bench report draws the curves and compares with PostgreSQL at the number of cores that"
                            + " suits it best. In short: --ebs 10 --clients 64 --runs 1 --warmup 15 --time 8.",
                    List.of(EACH, TpcwChoices.SCALED_MIX, SCALED_EBS, TpcwChoices.ITEMS),
                    RunOptions.compared(
                                    RunOptions.CLIENTS.or("200", "200"),
                                    "standalone,standalone-tuned,multimed-c0,multimed-c2")
                            .over(numbers(scaledCores(Runtime.getRuntime().availableProcessors()))),
                    Benchmarks::scale),
            new BenchCommand(
                    "interaction",
                    "Latency of short TPC-W interactions while heavy ones run beside them.\n"
                            + "Some clients ask HOME, PROD and SREQ in turn, more and more others BESS and SRES: the load interaction of"
                            + " the EuroSys paper. The ratio says how many times less the 99th percentile is. bench report draws the"
                            + " curves.",
                    List.of(HEAVY, TpcwChoices.EBS, TpcwChoices.ITEMS),
                    RunOptions.compared(RunOptions.CLIENTS, "standalone,standalone-tuned"),
                    (given, common, call) -> beside(HEAVY, TpcwExperiment::interaction, given, common, call)),
            new BenchCommand(
                    "short-long",
                    "Short TPC-W interactions, updates among them, beside a constant stream of Best Sellers.\n"
                            + "Some clients ask HOME, PROD, SREQ and SHOP in turn, others BESS again and again. multimed-c2 has a"
                            + " partial Satellite for these: its memory is compared with a full one's, and a run whose Best"
                            + " Sellers mostly ran elsewhere is void. SHOP updates tables that it lacks; what that costs it is"
                            + " its processor time, most clearly with bench tpcw --only shop --against multimed-c2.",
                    List.of(STREAM, TpcwChoices.EBS, TpcwChoices.ITEMS),
                    RunOptions.compared(RunOptions.CLIENTS, "standalone,standalone-tuned,multimed-c2"),
                    (given, common, call) -> beside(STREAM, TpcwExperiment::shortLong, given, common, call)),
            new BenchCommand(
                    "freshness",
                    "What strong, session and eventual freshness cost, and what they show.\n"
                            + "Clients update a row of their own and read anybody's: how many reads waited for a Satellite and how"
                            + " long, how soon a commit is to be seen there, how many reads missed one and how old it was. A run in"
                            + " which a strong read misses a commit is void, as is one whose session reads backwards, unless it is"
                            + " eventual.",
                    List.of(UPDATES),
                    RunOptions.compared(RunOptions.CLIENTS, "multimed,multimed-session,multimed-eventual"),
                    (given, common, call) -> postgres(
                            List.of(new FreshnessLoad(UPDATES.number(given, 0, 100))), common.read(given, call), call)),
            new BenchCommand(
                    "catch-up",
                    "How fast partial and full Satellites catch up, beside PostgreSQL's own subscription.\n"
                            + "The process that applies is stopped; meanwhile the Master executes transactions of an order, its"
                            + " lines and an item, without clients; then how long the copy takes for them. Before that, how soon"
                            + " it shows a single commit. TPC-W's purchases follow, after which everything is compared.",
                    List.of(BACKLOG, UNIQUE, TpcwChoices.EBS, TpcwChoices.ITEMS),
                    RunOptions.compared(RunOptions.CLIENTS.or("1", "1"), "subscription,multimed-c2"),
                    Benchmarks::catchingUp),
            new BenchCommand(
                    "indexed-inserts",
                    "Inserts into a table with eight secondary indexes, and reads by these.\n"
                            + "With multimed-c2 the indexes exist on a partial Satellite alone, which stands in the place of a full"
                            + " one; elsewhere every engine has them all.",
                    List.of(ROWS, BATCH, READS),
                    RunOptions.compared(RunOptions.CLIENTS, "standalone,standalone-tuned,multimed-c2"),
                    (given, common, call) -> postgres(
                            List.of(new IndexedInserts(
                                    ROWS.number(given, 1, MOST_ROWS),
                                    BATCH.number(given, 1, MOST_BATCH),
                                    READS.number(given, 0, 100))),
                            common.read(given, call),
                            call)),
            new BenchCommand(
                    "clone",
                    "How long a Satellite is copied, by the size of the database.\n"
                            + "A Satellite loses its files and its engine; until it serves again, first beside nothing, then beside"
                            + " TPC-W's purchases, and what these lose meanwhile. bench report draws it over the size.",
                    List.of(CLONED_SIZES, TpcwChoices.ITEMS),
                    RunOptions.ofSatellites(),
                    Benchmarks::cloning));

    private Benchmarks() {}

    static String numbers(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static Series tpcw(Arguments given, RunOptions common, Call call) throws ParseException, BenchException {
        BenchmarkDialect dialect = dialect(TPCW_ENGINE, TPCW_ENGINES, given);
        boolean embedded = dialect.embedded();
        Choice clients = embedded ? common.clients().or(INSIDE, INSIDE) : common.clients();
        ServerKind<?> kind = dialect == BenchmarkDialect.MARIADB ? new MariaDbKind() : RunOptions.POSTGRESQL;
        List<SeriesOptions> each = common.each(given, clients, kind.systems(), call);
        List<TpcwWorkload> workloads = TpcwChoices.workloads(TpcwChoices.MIX, given);
        List<TpcwScale> scales =
                TpcwChoices.scales(embedded ? TpcwChoices.SIZES.or(FEW_EBS, FEW_EBS) : TpcwChoices.SIZES, given);
        if (embedded) {
            // The number of Satellites has no meaning inside a JVM.
            SeriesOptions options = each.getFirst();
            List<Tpcw> benchmarks = scales.stream()
                    .flatMap(scale ->
                            workloads.stream().map(workload -> new Tpcw(workload, scale, dialect, options.seed())))
                    .toList();
            return embedded(benchmarks, dialect, options, given, call);
        }
        List<Series> all = new ArrayList<>();
        for (TpcwScale scale : scales) {
            for (SeriesOptions options : each) {
                all.add(servers(
                        kind,
                        workloads.stream()
                                .map(workload -> new Tpcw(workload, scale, dialect, options.seed()))
                                .toList(),
                        options,
                        call));
            }
        }
        return SeveralSeries.of(all, call.console());
    }

    /** Returns the numbers of cores up to the machine's: fours where these hold several engines of four. */
    static List<Integer> scaledCores(int machine) {
        return machine < 3 * CORES_OF_EACH
                ? SeriesOptions.coresUpTo(machine)
                : IntStream.rangeClosed(1, machine / CORES_OF_EACH)
                        .mapToObj(number -> number * CORES_OF_EACH)
                        .toList();
    }

    private static Series scale(Arguments given, RunOptions common, Call call) throws ParseException {
        if (given.has(RunOptions.SATELLITES.option())) {
            throw new ParseException(
                    RunOptions.SATELLITES.name() + ": their number follows from --cores and " + EACH.name());
        }
        SeriesOptions options = common.read(given, call)
                .growing(
                        EACH.number(given, 1, MOST_CORES_OF_EACH),
                        Runtime.getRuntime().availableProcessors());
        TpcwScale scale = TpcwChoices.scales(SCALED_EBS, given).getFirst();
        return postgres(
                TpcwChoices.workloads(TpcwChoices.SCALED_MIX, given).stream()
                        .map(workload -> new Tpcw(workload, scale, options.seed()))
                        .toList(),
                options,
                call);
    }

    private static Series tpcc(Arguments given, RunOptions common, Call call) throws ParseException, BenchException {
        SeriesOptions options = common.read(given, call);
        BenchmarkDialect dialect = dialect(ENGINE, TPCC_ENGINES, given);
        List<String> mixes = Arrays.stream(TpccMix.values()).map(TpccMix::text).toList();
        TpccMix mix = TpccMix.values()[
                mixes.indexOf(TPCC_MIX.names(given, "mix", mixes).getFirst())];
        TpccScale scale = new TpccScale(
                (dialect.embedded() ? WAREHOUSES.or("1", "1") : WAREHOUSES).number(given, 1, TpccScale.MOST_WAREHOUSES),
                SHRINK.number(given, 1, TpccScale.MOST_SHRINK));
        List<Tpcc> benchmarks = List.of(new Tpcc(mix, scale, dialect, options.seed()));
        return dialect.embedded()
                ? embedded(benchmarks, dialect, options, given, call)
                : postgres(benchmarks, options, call);
    }

    /** Makes an experiment of its size, seed and number of heavy clients. */
    private interface Beside {
        TpcwExperiment of(TpcwScale scale, long seed, int heavy);
    }

    private static Series beside(Choice heavy, Beside making, Arguments given, RunOptions common, Call call)
            throws ParseException {
        SeriesOptions options = common.read(given, call);
        TpcwScale scale = TpcwChoices.scales(TpcwChoices.EBS, given).getFirst();
        return postgres(
                heavy.numbers(given, 0, MOST_HEAVY).stream()
                        .map(number -> making.of(scale, options.seed(), number))
                        .toList(),
                options,
                call);
    }

    private static Series catchingUp(Arguments given, RunOptions common, Call call) throws ParseException {
        SeriesOptions options = common.read(given, call);
        TpcwScale scale = TpcwChoices.scales(TpcwChoices.EBS, given).getFirst();
        int transactions = BACKLOG.number(given, 1, MOST_BACKLOG);
        return postgres(
                UNIQUE.numbers(given, 0, MOST_UNIQUE).stream()
                        .map(unique -> TpcwExperiment.catchingUp(scale, options.seed(), transactions, unique))
                        .toList(),
                options,
                call);
    }

    private static Series cloning(Arguments given, RunOptions common, Call call) throws ParseException {
        SeriesOptions options = common.read(given, call);
        return SeveralSeries.of(
                TpcwChoices.scales(CLONED_SIZES, given).stream()
                        .map(scale -> postgres(List.of(TpcwExperiment.cloning(scale, options.seed())), options, call))
                        .toList(),
                call.console());
    }

    private static <D> Series postgres(List<? extends Benchmark<D>> benchmarks, SeriesOptions options, Call call) {
        return servers(RunOptions.POSTGRESQL, benchmarks, options, call);
    }

    private static <B, D> Series servers(
            ServerKind<B> kind, List<? extends Benchmark<D>> benchmarks, SeriesOptions options, Call call) {
        return new ServerSeries<>(
                kind, List.<Benchmark<D>>copyOf(benchmarks), options, Program.VERSION, call.console(), call.there());
    }

    private static Series embedded(
            List<? extends Benchmark<?>> benchmarks,
            BenchmarkDialect dialect,
            SeriesOptions options,
            Arguments given,
            Call call)
            throws ParseException {
        // The first engine is the one alone, with which the others are compared.
        List<EmbeddedEngine> engines = Stream.concat(Stream.of(0), REPLICAS.numbers(given, 1, MOST_REPLICAS).stream())
                .map(replicas -> new EmbeddedEngine(dialect.engine(), replicas))
                .toList();
        return new EmbeddedSeries(benchmarks, engines, options, Program.VERSION, call.console(), call.there());
    }

    /**
     * Returns the chosen engine.
     *
     * @param engine the option
     * @param all engines that can be chosen
     * @throws ParseException if there is no such engine, or an option was given that has no meaning with it
     */
    private static BenchmarkDialect dialect(Choice engine, Set<BenchmarkDialect> all, Arguments given)
            throws ParseException {
        List<String> engines = all.stream().map(BenchmarkDialect::engine).toList();
        BenchmarkDialect dialect = BenchmarkDialect.of(
                        engine.names(given, "engine", engines).getFirst())
                .orElseThrow();
        List<Option> without = switch (dialect) {
            case POSTGRESQL -> List.of(REPLICAS.option());
            case MARIADB -> List.of(REPLICAS.option(), RunOptions.POOL.option());
            case H2, HSQLDB -> RunOptions.OF_SERVERS;
        };
        Optional<Option> meaningless = without.stream().filter(given::has).findFirst();
        if (meaningless.isPresent()) {
            throw new ParseException(
                    Arguments.name(meaningless.get()) + ": means nothing with --engine " + dialect.engine());
        }
        return dialect;
    }
}
