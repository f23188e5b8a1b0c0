package io.multimed.bench.tpcc;

import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Trial;
import io.multimed.bench.tpcc.check.Conditions;
import io.multimed.bench.tpcc.check.TpccBefore;
import io.multimed.bench.tpcc.population.TpccPopulation;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcc.population.TpccSchema;
import io.multimed.bench.tpcc.workload.Kind;
import io.multimed.bench.tpcc.workload.TpccMix;
import io.multimed.bench.tpcc.workload.TpccTally;
import io.multimed.bench.tpcc.workload.TpccTerminal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * TPC-C at database level.
 *
 * @param dialect of the engine that it runs on
 * @param seed of the population
 */
public record Tpcc(TpccMix mix, TpccScale scale, BenchmarkDialect dialect, long seed) implements Benchmark<TpccBefore> {
    @Override
    public String name() {
        return "tpcc " + mix.text();
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
    public TpccBefore load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        int threads = dialect.embedded() ? 1 : Math.max(2, Runtime.getRuntime().availableProcessors());
        TpccPopulation population = new TpccPopulation(
                scale, seed, LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
        population.load(new Parallel(database, threads, progress), dialect);
        try (Connection connection = database.open()) {
            return TpccBefore.read(connection);
        }
    }

    @Override
    public Trial trial(TpccBefore loaded, int clients, long seedOfClients) {
        return new OneRun(this, loaded, seedOfClients, new TpccTally());
    }

    private record OneRun(Tpcc benchmark, TpccBefore before, long seed, TpccTally told) implements Trial {
        @Override
        public List<MeasuredOperations.Kind> kinds() {
            return Arrays.stream(Kind.values())
                    .map(kind -> new MeasuredOperations.Kind(
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
        public Worker client(
                int number, Transactions.Opening opening, MeasuredOperations recording, BooleanSupplier going) {
            return new TpccTerminal(
                    new TpccTerminal.Setting(opening, benchmark.mix(), benchmark.scale(), seed, recording, told, going),
                    number);
        }

        @Override
        public List<Run.Check> check(Connection master) throws SQLException {
            return Conditions.check(master, before, told);
        }

        @Override
        public List<String> tables() {
            return TpccSchema.NAMES;
        }
    }
}
