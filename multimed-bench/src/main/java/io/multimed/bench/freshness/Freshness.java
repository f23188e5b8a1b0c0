package io.multimed.bench.freshness;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.RunningSystem;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads of single rows and updates of them, in a proportion.
 *
 * @param updates of all transactions, in per cent
 */
public record Freshness(int updates) implements Benchmark<Freshness.Empty> {
    private static final long BYTES = 20_000_000;

    /** There is nothing but rows for the clients, of which each run makes its own. */
    public record Empty() {}

    /** @throws IllegalArgumentException for a share that cannot be; one sentence */
    public Freshness {
        if (updates < 0 || updates > 100) {
            throw new IllegalArgumentException("--updates: must be from 0 to 100, not " + updates);
        }
    }

    @Override
    public String name() {
        return "freshness";
    }

    @Override
    public String operations() {
        return "transactions";
    }

    @Override
    public Map<String, String> parameters() {
        return new LinkedHashMap<>(Map.of("updates, %", Integer.toString(updates)));
    }

    @Override
    public long estimatedBytes() {
        return BYTES;
    }

    @Override
    public String sizedBy() {
        return "one row for each client";
    }

    @Override
    public Empty load(Connector database, LoadProgress progress) throws SQLException {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            // Room for new versions beside old ones: no index is touched.
            statement.execute("CREATE TABLE freshness (id integer PRIMARY KEY, version bigint NOT NULL)"
                    + " WITH (fillfactor = 10)");
        }
        return new Empty();
    }

    @Override
    public String summary(Empty loaded) {
        return "one table";
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return new FreshnessEpisode(system);
    }

    @Override
    public Trial trial(Empty loaded, int clients, long seed) {
        return new FreshnessTrial(clients, updates, seed);
    }
}
