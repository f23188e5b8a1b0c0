package io.multimed.bench.tpcw;

import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.tpcw.check.Invariants;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.check.TpcwExpected;
import io.multimed.bench.tpcw.population.Table;
import io.multimed.bench.tpcw.population.TpcwPopulation;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Chain;
import io.multimed.bench.tpcw.workload.EmulatedBrowser;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwTally;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * TPC-W at database level.
 *
 * @param dialect of the engine that it runs on
 * @param seed of the population
 */
public record Tpcw(TpcwWorkload workload, TpcwScale scale, BenchmarkDialect dialect, long seed)
        implements Benchmark<TpcwBefore> {
    private static final Set<String> HEAVY = Set.of(Interaction.BESS.name(), Interaction.SRES.name());
    private static final Set<Interaction> SHORT = EnumSet.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ);

    /** The replica of the first paper for Best Sellers: the tables of that query. */
    private static final Carried BEST_SELLERS =
            new Carried("bestsellers", List.of("orders", "order_line", "item", "author"), List.of(), "long", false);

    /** Makes the benchmark for PostgreSQL. */
    public Tpcw(TpcwWorkload workload, TpcwScale scale, long seed) {
        this(workload, scale, BenchmarkDialect.POSTGRESQL, seed);
    }

    @Override
    public String name() {
        return "tpcw " + workload.text();
    }

    @Override
    public Carried carried() {
        return dialect == BenchmarkDialect.POSTGRESQL ? BEST_SELLERS : Carried.NOTHING;
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        // One that counts nothing is not Multimed, and cannot be asked for routes.
        return system.partial()
                .filter(node -> !system.served().isEmpty())
                .<Episode>map(node -> new PathOfReads(system, node, scale, dialect))
                .orElse(Episode.NONE);
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("mix", workload.text());
        if (dialect != BenchmarkDialect.POSTGRESQL) {
            parameters.put("engine", dialect.engine());
        }
        parameters.put("ebs", Integer.toString(scale.ebs()));
        parameters.put("items", Integer.toString(scale.items()));
        parameters.put("sessions", "end by a clock of think times alone, mean 7 s, none of which is waited for");
        return parameters;
    }

    /**
     * Returns TPC-W's level 1. It equals level 2 for interactions that read no row twice; {@link Interaction#repeatable} lists
     * the others. MariaDB has it for all transactions: under repeatable read it locks the gaps between rows, and clients with empty carts
     * lose most of their transactions to deadlocks.
     */
    @Override
    public String isolationOfReads() {
        return "read committed";
    }

    @Override
    public String isolation() {
        return dialect == BenchmarkDialect.MARIADB
                ? isolationOfReads() + "; transactions that only read begin with START TRANSACTION READ ONLY"
                : "reads " + isolationOfReads() + ", Search Results, Order Display and updates " + REPEATABLE_READ;
    }

    @Override
    public long estimatedBytes() {
        return scale.estimatedBytes();
    }

    @Override
    public String sizedBy() {
        return "--ebs " + scale.ebs() + ", --items " + scale.items();
    }

    @Override
    public TpcwBefore load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        int threads = dialect.embedded() ? 1 : Math.max(2, Runtime.getRuntime().availableProcessors());
        new TpcwPopulation(scale, seed, LocalDate.now(ZoneId.systemDefault()))
                .load(new Parallel(database, threads, progress), dialect);
        try (Connection connection = database.open()) {
            return TpcwBefore.read(connection);
        }
    }

    @Override
    public Trial trial(TpcwBefore loaded, int clients, long seedOfClients) {
        return trial(loaded, clients, seedOfClients, number -> workload.chain());
    }

    /**
     * Returns a run whose clients do not all do the same.
     *
     * @param chains the chain of the client with a number, from 1
     */
    public Trial trial(TpcwBefore loaded, int clients, long seedOfClients, IntFunction<Chain> chains) {
        return new OneRun(this, loaded, clients, seedOfClients, chains, new TpcwTally());
    }

    private List<MeasuredOperations.Kind> kinds() {
        return Arrays.stream(Interaction.values())
                .map(interaction -> new MeasuredOperations.Kind(
                        interaction.name(),
                        interaction.title(),
                        interaction.readOnly(),
                        SHORT.contains(interaction),
                        workload.percentage(interaction)))
                .toList();
    }

    private record OneRun(
            Tpcw benchmark, TpcwBefore before, int clients, long seed, IntFunction<Chain> chains, TpcwTally told)
            implements Trial {
        @Override
        public List<MeasuredOperations.Kind> kinds() {
            return benchmark.kinds();
        }

        @Override
        public void prepare(Connection connection) throws SQLException {
            try (PreparedStatement carts = connection.prepareStatement("INSERT INTO shopping_cart SELECT id, CAST(? AS "
                    + benchmark.dialect().timestamp() + ") FROM "
                    + benchmark.dialect().numbers())) {
                // With now(), systems that execute writes on each engine would get different values.
                carts.setTimestamp(1, Timestamp.from(Instant.now()));
                carts.setInt(2, clients);
                carts.executeUpdate();
            }
        }

        @Override
        public Worker client(
                int number, Transactions.Opening opening, MeasuredOperations recording, BooleanSupplier going) {
            return new EmulatedBrowser(
                    new EmulatedBrowser.Setting(
                            opening,
                            chains.apply(number),
                            benchmark.scale(),
                            benchmark.dialect(),
                            seed,
                            recording,
                            told,
                            going),
                    number);
        }

        @Override
        public List<Run.Check> check(Connection master) throws SQLException {
            return Invariants.check(
                    master,
                    before,
                    new TpcwExpected(
                            told.orders(), told.customers(), told.addresses(), told.unansweredCommits(), clients));
        }

        /** Returns how often clients that do not all do the same complete heavy interactions and others. */
        @Override
        public List<Figure> figures(Measured measured) {
            if (!benchmark.workload().percentages().isEmpty() || measured.seconds() == 0) {
                return List.of();
            }
            long heavy = measured.operations().stream()
                    .filter(operation -> HEAVY.contains(operation.name()))
                    .mapToLong(Operation::count)
                    .sum();
            return List.of(
                    new Figure("short interactions", "1/s", (measured.completed() - heavy) / measured.seconds()),
                    new Figure("heavy interactions", "1/s", heavy / measured.seconds()));
        }

        @Override
        public List<String> tables() {
            return Arrays.stream(Table.values()).map(Table::sqlName).toList();
        }
    }
}
