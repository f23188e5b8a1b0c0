package io.multimed.bench.tpcc.population;

import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.load.Parallel;
import java.sql.SQLException;
import java.util.List;

/** Fills an empty database: tables, rows, indexes, and the engine's work after loading. */
public final class TpccLoader {
    private final Parallel parallel;
    private final TpccPopulation population;
    private final BenchmarkDialect dialect;

    /** @param threads each with a connection of its own */
    public TpccLoader(
            Connector database,
            TpccPopulation population,
            BenchmarkDialect dialect,
            int threads,
            LoadProgress progress) {
        this.parallel = new Parallel(database, threads, progress);
        this.population = population;
        this.dialect = dialect;
    }

    /** Loads everything; an interrupt ends it half-way, with no thread left. */
    public void load() throws SQLException, InterruptedException {
        parallel.inOrder(TpccSchema.TABLES);
        List<Parallel.Work> rows = population.pieces().stream()
                .<Parallel.Work>map(piece ->
                        connection -> dialect.bulkLoad().load(connection, into -> population.rows(piece, into)))
                .toList();
        parallel.all("rows", rows);
        parallel.inOrder(TpccSchema.INDEXES);
        parallel.settle(dialect.settling());
    }
}
