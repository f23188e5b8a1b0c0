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
 * A benchmark of reads and updates of single rows, in a given proportion.
 *
 * @param updates of all transactions, in per cent
 */
public record FreshnessLoad(int updates) implements Benchmark<FreshnessLoad.Empty> {
    private static final long BYTES = 20_000_000;

    /** The loaded data, which is empty: each run makes its own rows for the clients. */
    public record Empty() {}

    /**
     * @throws IllegalArgumentException for an impossible share; one sentence
     */
    public FreshnessLoad {
        if (updates < 0 || updates > 100) {
            throw new IllegalArgumentException("--updates: must be from 0 to 100, not " + updates);
        }
    }

    @Override
    public String name() {
        return "freshness";
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
            // The fill factor leaves room for new versions beside old ones, so no index is touched.
            statement.execute("CREATE TABLE freshness (id integer PRIMARY KEY, version bigint NOT NULL)"
                    + " WITH (fillfactor = 10)");
        }
        return new Empty();
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return new FreshnessEpisode(system);
    }

    @Override
    public Trial trial(Empty loaded, int clients, long seed) {
        return FreshnessTrial.of(clients, updates, seed);
    }
}
