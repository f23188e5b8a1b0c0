package io.multimed.bench.tpcc;

import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.Dialect;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.measure.Recording;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Trial;
import io.multimed.bench.series.Verdict;
import io.multimed.bench.tpcc.check.Before;
import io.multimed.bench.tpcc.check.Conditions;
import io.multimed.bench.tpcc.check.Expected;
import io.multimed.bench.tpcc.population.Loader;
import io.multimed.bench.tpcc.population.Population;
import io.multimed.bench.tpcc.population.Scale;
import io.multimed.bench.tpcc.population.Schema;
import io.multimed.bench.tpcc.workload.Client;
import io.multimed.bench.tpcc.workload.Kind;
import io.multimed.bench.tpcc.workload.Mix;
import io.multimed.bench.tpcc.workload.Tally;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * TPC-C at database level.
 *
 * @param dialect of the engine that it runs on
 * @param seed of the population
 */
public record Tpcc(Mix mix, Scale scale, Dialect dialect, long seed) implements Benchmark<Before> {
    @Override
    public String name() {
        return "tpcc " + mix.text();
    }

    @Override
    public String operations() {
        return "transactions";
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("mix", mix.text());
        parameters.put("engine", dialect.engine());
        parameters.put("warehouses", Integer.toString(scale.warehouses()));
        parameters.put("shrink", Integer.toString(scale.shrink()));
        parameters.put("terminals", "none, a warehouse is chosen anew for each transaction; not tpmC");
        return parameters;
    }

    @Override
    public long estimatedBytes() {
        return scale.estimatedBytes();
    }

    @Override
    public String sizedBy() {
        return "--warehouses " + scale.warehouses();
    }

    @Override
    public Before load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        int threads = dialect.embedded() ? 1 : Math.max(2, Runtime.getRuntime().availableProcessors());
        Population population = new Population(scale, seed, LocalDateTime.now().truncatedTo(ChronoUnit.SECONDS));
        new Loader(database, population, dialect, threads, progress).load();
        try (Connection connection = database.open()) {
            return Before.read(connection);
        }
    }

    @Override
    public String summary(Before loaded) {
        return String.format(Locale.ROOT, "%,d warehouses, %,d orders", scale.warehouses(), loaded.orders());
    }

    @Override
    public Trial trial(Before loaded, int clients, long seedOfClients) {
        return new Run(this, loaded, seedOfClients, new Tally());
    }

    private record Run(Tpcc benchmark, Before before, long seed, Tally told) implements Trial {
        @Override
        public List<Recording.Kind> kinds() {
            return Arrays.stream(Kind.values())
                    .map(kind -> new Recording.Kind(
                            kind.name(),
                            kind.title(),
                            kind.readOnly(),
                            kind == Kind.ORDS,
                            benchmark.mix().percentage(kind)))
                    .toList();
        }

        @Override
        public void prepare(Connection connection) {
            // Everything is there.
        }

        @Override
        public Worker client(int number, Transactions.Opening opening, Recording recording, BooleanSupplier going) {
            return new Client(
                    new Client.Setting(opening, benchmark.mix(), benchmark.scale(), seed, recording, told, going),
                    number);
        }

        @Override
        public List<Verdict> check(Connection master) throws SQLException {
            return Conditions.check(
                    master,
                    before,
                    new Expected(told.orders(), told.payments(), told.delivered(), told.unansweredCommits()));
        }

        @Override
        public List<String> tables() {
            return Schema.NAMES;
        }
    }
}
