package io.multimed.bench.tpcw.population;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.CopyText;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.load.Parallel;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Fills an empty PostgreSQL database: tables, rows by parallel COPY, keys and indexes, foreign keys, statistics. */
public final class Loader {
    private final Parallel parallel;
    private final Population population;

    public Loader(Connector database, Population population, int threads, LoadProgress progress) {
        this.parallel = new Parallel(database, threads, progress);
        this.population = population;
    }

    /** Returns when all is there; an interrupt ends it half-way, with no thread left. */
    public void load() throws SQLException, InterruptedException {
        parallel.inOrder(Schema.TABLES);
        parallel.inOrder(Schema.sequences(population.scale()));
        List<Parallel.Work> rows = population.pieces().stream()
                .<Parallel.Work>map(piece -> connection -> Parallel.copy(connection, named(population.rows(piece))))
                .toList();
        parallel.all("rows", rows);
        parallel.statements("indexes", Schema.INDEXES);
        parallel.statements("foreign keys", Schema.FOREIGN_KEYS);
        parallel.settle();
    }

    private static Map<String, CopyText> named(Map<Table, CopyText> rows) {
        Map<String, CopyText> named = new TreeMap<>();
        rows.forEach((table, text) -> named.put(table.sqlName(), text));
        return named;
    }
}
