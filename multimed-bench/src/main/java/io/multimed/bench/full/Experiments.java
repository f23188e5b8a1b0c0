package io.multimed.bench.full;

import io.multimed.bench.Console;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.experiment.ApplyRate;
import io.multimed.bench.experiment.CloneTime;
import io.multimed.bench.experiment.LoadInteraction;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.EmbeddedEngine;
import io.multimed.bench.series.EmbeddedSeries;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.tpcc.Tpcc;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwMix;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The experiments of a full run, the most important first.
 *
 * <p>Experiments that are compared with no other one use a tenth of the database: only their duration depends on its size.
 */
public final class Experiments {
    private static final String MULTIMED = "multimed";
    private static final List<String> ONE = List.of("standalone", MULTIMED);
    private static final List<String> BASELINES = List.of("standalone", "standalone-tuned", MULTIMED);
    private static final List<String> PROXIES = List.of("pgbouncer", "pgpool", "pgpool-si");
    private static final String PGBOUNCER = "pgbouncer";
    private static final int CLIENTS = 64;
    private static final int MANY_CLIENTS = 400;
    private static final int THOUSAND = 1_000;
    private static final List<Integer> OTHER_CLIENTS = List.of(1, 16);
    private static final List<Integer> MOST_CLIENTS = List.of(2_000);
    private static final List<TpcwMix> ALL_MIXES = List.of(TpcwMix.values());
    private static final List<Integer> MOST_HEAVY = List.of(16);
    private static final List<Integer> LESS_HEAVY = List.of(0, 4);
    private static final int SOME_CLIENTS = 16;
    private static final int FEW_CLIENTS = 4;
    private static final List<Integer> OTHER_FEW = List.of(1, 8);
    private static final List<BenchmarkDialect> EMBEDDED = List.of(BenchmarkDialect.HSQLDB, BenchmarkDialect.H2);
    /** Numbers of replicas in MacroDB's figures of TPC-C: three for most mixes. */
    private static final List<Integer> REPLICAS = List.of(1, 2, 3, 4, 6);

    private static final List<Integer> THREE = List.of(3);
    private static final List<Integer> ONE_AND_THREE = List.of(1, 3);
    private static final List<Integer> THREE_AND_SIX = List.of(3, 6);

    /** The mixes of TPC-W in the papers' figures. */
    private static final List<TpcwMix> BROWSING_AND_SHOPPING = List.of(TpcwMix.BROWSING, TpcwMix.SHOPPING);

    private static final int SHOPPERS = 8;

    private static final int POOL = 20;
    private static final int UPDATES_PERCENT = 10;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    /** Bytes that a population, or its copy, grows by in a second on two processors. */
    private static final long LOADED_A_SECOND = 45_000_000;

    private static final long COPIED_A_SECOND = 450_000_000;
    /** Bytes that a population inside a JVM grows by in a second, with one thread. */
    private static final long LOADED_INSIDE_A_SECOND = 15_000_000;
    /** Clients that are connected before a run, or disconnected after it, in a second. */
    private static final int CONNECTED_A_SECOND = 80;

    private static final int TRYING_SECONDS = 8;
    private static final int STARTING_SECONDS = 2;

    private final TpcwScale scale;
    private final TpcwScale small;
    private final int shrink;
    private final Path out;
    private final Path work;
    private final String version;
    private final Console console;
    private final long seed = 1;

    /**
     * @param scale of TPC-W
     * @param shrink divides TPC-C's numbers of items and customers
     * @param version of Multimed, for the results
     */
    public Experiments(TpcwScale scale, int shrink, Path out, Path work, String version, Console console) {
        this.scale = scale;
        this.small = new TpcwScale(Math.max(1, scale.ebs() / 10), scale.items());
        this.shrink = shrink;
        this.out = out;
        this.work = work;
        this.version = version;
        this.console = console;
    }

    /** Returns a run of all experiments, or as many as fit. */
    public FullRun within(Duration time) {
        return new FullRun(all(), time, out, work, console);
    }

    /**
     * Returns all experiments, the comparisons first. Systems that are compared with them later run in their place, without
     * them.
     */
    private List<Experiment> all() {
        List<Experiment> all = new ArrayList<>();
        all.add(mixes(Rank.HEADLINE, ALL_MIXES, CLIENTS, BASELINES));
        all.add(postgres(
                "bench tpcw --mix ordering --clients 1 --satellites 0 --against standalone,pgbouncer" + size(small),
                Rank.HEADLINE,
                List.of(new Tpcw(TpcwWorkload.of(TpcwMix.ORDERING), small, seed)),
                new Chosen(List.of(1), List.of("standalone", PGBOUNCER, MULTIMED), 0, 0)));
        all.add(mixes(Rank.COMPARISON, ALL_MIXES, MANY_CLIENTS, BASELINES));
        all.add(browsing(Rank.COMPARISON, List.of(THOUSAND)));
        all.add(interaction(Rank.COMPARISON, MOST_HEAVY));
        all.add(mixes(Rank.FIGURE, ALL_MIXES, CLIENTS, PROXIES));
        all.add(bestSellers("--mix browsing --without BESS", TpcwWorkload.without(TpcwMix.BROWSING, Interaction.BESS)));
        all.add(bestSellers("--only BESS", TpcwWorkload.only(Interaction.BESS)));
        for (BenchmarkDialect dialect : EMBEDDED) {
            all.add(tpccInside(
                    dialect, io.multimed.bench.tpcc.workload.TpccMix.READING, REPLICAS, List.of(FEW_CLIENTS)));
        }
        all.add(tpcwInside(BenchmarkDialect.H2));
        all.add(postgres(
                "bench freshness --clients 16",
                Rank.FIGURE,
                List.of(new FreshnessLoad(UPDATES_PERCENT)),
                new Chosen(List.of(SOME_CLIENTS), List.of(MULTIMED, "multimed-session", "multimed-eventual"), 1, 0)));
        all.add(postgres(
                "bench apply --clients 16" + size(small),
                Rank.FIGURE,
                List.of(new ApplyRate(small, seed, PAUSE)),
                new Chosen(List.of(SOME_CLIENTS), List.of(MULTIMED), 1, (int) (4 * PAUSE.toSeconds()))));
        for (TpcwScale one : Stream.of(small, scale).distinct().toList()) {
            all.add(postgres(
                    "bench clone --clients 16" + size(one),
                    Rank.FIGURE,
                    List.of(new CloneTime(one, seed)),
                    new Chosen(
                            List.of(SOME_CLIENTS),
                            List.of(MULTIMED),
                            1,
                            2 * (int) (one.estimatedBytes() / COPIED_A_SECOND))));
        }
        all.add(mixes(Rank.FIGURE, BROWSING_AND_SHOPPING, CLIENTS, List.of("multimed-c0")));
        for (BenchmarkDialect dialect : EMBEDDED) {
            List<Integer> few = List.of(FEW_CLIENTS);
            all.add(tpccInside(
                    dialect,
                    io.multimed.bench.tpcc.workload.TpccMix.READS,
                    dialect == BenchmarkDialect.HSQLDB ? THREE_AND_SIX : THREE,
                    few));
            all.add(tpccInside(dialect, io.multimed.bench.tpcc.workload.TpccMix.HALF, THREE, few));
            all.add(tpccInside(dialect, io.multimed.bench.tpcc.workload.TpccMix.STANDARD, ONE_AND_THREE, few));
        }
        List<Integer> cores = SeriesOptions.coresUpTo(Machine.read().cores());
        if (cores.size() > 1) {
            all.add(postgres(
                    "bench cores --mix browsing,shopping --cores " + list(cores) + " --clients " + CLIENTS
                            + " --against standalone" + size(small),
                    Rank.FIGURE,
                    BROWSING_AND_SHOPPING.stream()
                            .map(mix -> new Tpcw(TpcwWorkload.of(mix), small, seed))
                            .toList(),
                    new Chosen(List.of(CLIENTS), cores, ONE, 1, 0)));
        }
        all.add(mixes(Rank.FIGURE, ALL_MIXES, MANY_CLIENTS, List.of(PGBOUNCER)));
        all.add(interaction(Rank.FIGURE, LESS_HEAVY));
        all.add(browsing(Rank.FIGURE, OTHER_CLIENTS));
        all.add(browsing(Rank.FIGURE, MOST_CLIENTS));
        all.add(tpcwInside(BenchmarkDialect.HSQLDB));
        for (BenchmarkDialect dialect : EMBEDDED) {
            all.add(tpccInside(dialect, io.multimed.bench.tpcc.workload.TpccMix.READING, REPLICAS, OTHER_FEW));
        }
        return all;
    }

    private static String size(TpcwScale scale) {
        return " --ebs " + scale.ebs() + " --items " + scale.items();
    }

    /** Returns the experiment that measures throughput over the number of clients. */
    private Experiment browsing(Rank rank, List<Integer> clients) {
        return postgres(
                "bench clients --mix browsing --clients " + list(clients) + " --against " + names(BASELINES)
                        + size(scale),
                rank,
                List.of(new Tpcw(TpcwWorkload.of(TpcwMix.BROWSING), scale, seed)),
                new Chosen(clients, BASELINES, 1, 0));
    }

    private Experiment interaction(Rank rank, List<Integer> heavy) {
        return postgres(
                "bench interaction --clients " + SOME_CLIENTS + " --heavy " + list(heavy) + " --against "
                        + names(BASELINES) + size(scale),
                rank,
                heavy.stream()
                        .map(number -> new LoadInteraction(scale, seed, number))
                        .toList(),
                new Chosen(List.of(SOME_CLIENTS), BASELINES, 1, 0));
    }

    /**
     * Returns the experiment without Best Sellers and with them alone, since the paper measures their cost. It runs at the same
     * place as the mixes, with which it is compared.
     */
    private Experiment bestSellers(String options, TpcwWorkload workload) {
        return postgres(
                "bench tpcw " + options + " --clients " + CLIENTS + " --against standalone" + size(scale),
                Rank.FIGURE,
                List.of(new Tpcw(workload, scale, seed)),
                new Chosen(List.of(CLIENTS), ONE, 1, 0));
    }

    private Experiment mixes(Rank rank, List<TpcwMix> mixes, int clients, List<String> systems) {
        return postgres(
                "bench tpcw --mix " + texts(mixes) + " --clients " + clients + " --against " + names(systems)
                        + size(scale),
                rank,
                mixes.stream()
                        .map(mix -> new Tpcw(TpcwWorkload.of(mix), scale, seed))
                        .toList(),
                new Chosen(List.of(clients), systems, 1, 0));
    }

    /**
     * @param cores that systems may use; 0: all
     * @param more seconds of a run beyond those of copying, starting and checking
     */
    private record Chosen(List<Integer> clients, List<Integer> cores, List<String> systems, int satellites, int more) {
        Chosen(List<Integer> clients, List<String> systems, int satellites, int more) {
            this(clients, List.of(0), systems, satellites, more);
        }
    }

    private <D> Experiment postgres(String command, Rank rank, List<? extends Benchmark<D>> benchmarks, Chosen chosen) {
        long bytes = benchmarks.getFirst().estimatedBytes();
        // The time is for the copy for the run, the Satellite's copy, and the checks, which read everything in both.
        double clients =
                chosen.clients().stream().mapToInt(Integer::intValue).average().orElse(0);
        int beside = STARTING_SECONDS
                + (int) (4 * bytes / COPIED_A_SECOND)
                + (int) (clients / CONNECTED_A_SECOND)
                + chosen.more();
        return new Experiment(
                command,
                rank,
                TRYING_SECONDS + (int) (bytes / LOADED_A_SECOND),
                beside,
                (pace, repetitions, there) -> new PostgresSeries<>(
                        List.<Benchmark<D>>copyOf(benchmarks),
                        options(chosen, pace, repetitions),
                        version,
                        console,
                        there,
                        true));
    }

    private Experiment tpccInside(
            BenchmarkDialect dialect,
            io.multimed.bench.tpcc.workload.TpccMix mix,
            List<Integer> replicas,
            List<Integer> clients) {
        return inside(
                "bench tpcc --mix " + mix.text() + (shrink == 1 ? "" : " --shrink " + shrink),
                dialect,
                List.of(new Tpcc(mix, new io.multimed.bench.tpcc.population.TpccScale(1, shrink), dialect, seed)),
                replicas,
                clients);
    }

    private Experiment tpcwInside(BenchmarkDialect dialect) {
        return inside(
                "bench tpcw --mix " + texts(BROWSING_AND_SHOPPING) + size(small),
                dialect,
                BROWSING_AND_SHOPPING.stream()
                        .map(mix -> new Tpcw(TpcwWorkload.of(mix), small, dialect, seed))
                        .toList(),
                THREE,
                List.of(SHOPPERS));
    }

    private Experiment inside(
            String command,
            BenchmarkDialect dialect,
            List<? extends Benchmark<?>> benchmarks,
            List<Integer> replicas,
            List<Integer> clients) {
        // The first engine is the one alone, with which the others are compared.
        List<EmbeddedEngine> engines = Stream.concat(Stream.of(0), replicas.stream())
                .map(number -> new EmbeddedEngine(dialect.engine(), number))
                .toList();
        Chosen chosen = new Chosen(clients, List.of(MULTIMED), 1, 0);
        return new Experiment(
                command + " --engine " + dialect.engine() + " --replicas " + list(replicas) + " --clients "
                        + list(clients),
                Rank.FIGURE,
                0,
                STARTING_SECONDS + (int) (benchmarks.getFirst().estimatedBytes() / LOADED_INSIDE_A_SECOND),
                (pace, repetitions, there) -> new EmbeddedSeries(
                        benchmarks, engines, options(chosen, pace, repetitions), version, console, there));
    }

    private SeriesOptions options(Chosen chosen, Pace pace, int repetitions) {
        return new SeriesOptions(
                chosen.clients(),
                chosen.cores(),
                chosen.systems(),
                chosen.satellites(),
                pace.warmup(),
                pace.seconds(),
                repetitions,
                out,
                work,
                seed,
                POOL,
                Map.of());
    }

    private static String texts(List<TpcwMix> mixes) {
        return mixes.stream().map(TpcwMix::text).collect(Collectors.joining(","));
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String names(List<String> systems) {
        return systems.stream().filter(system -> !system.equals(MULTIMED)).collect(Collectors.joining(","));
    }
}
