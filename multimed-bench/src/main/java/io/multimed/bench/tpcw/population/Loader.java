package io.multimed.bench.tpcw.population;

import io.multimed.bench.Interruptible;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Fills an empty PostgreSQL database: tables, rows by parallel COPY, keys and indexes, foreign keys, statistics. */
public final class Loader {
    /** Opens connections to the database that is to be filled. */
    public interface Connector {
        Connection open() throws SQLException;
    }

    private final Connector database;
    private final Population population;
    private final int threads;
    private final LoadProgress progress;

    public Loader(Connector database, Population population, int threads, LoadProgress progress) {
        this.database = database;
        this.population = population;
        this.threads = threads;
        this.progress = progress;
    }

    /** Returns when all is there; an interrupt ends it half-way, with no thread left. */
    public void load() throws SQLException, InterruptedException {
        execute(Schema.TABLES);
        execute(Schema.sequences(population.scale()));
        inParallel("rows", population.pieces().stream().map(this::copy).toList());
        inParallel("indexes", Schema.INDEXES.stream().map(this::statement).toList());
        inParallel(
                "foreign keys",
                Schema.FOREIGN_KEYS.stream().map(this::statement).toList());
        progress.advanced("statistics", 0, 1);
        // Freezing too: otherwise the first readers would write every page again, for its hint bits.
        execute(List.of("VACUUM (FREEZE, ANALYZE)", "CHECKPOINT"));
        progress.advanced("statistics", 1, 1);
    }

    private void execute(List<String> statements) throws SQLException, InterruptedException {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                Interruptible.perform(() -> statement.execute(sql), connection);
            }
        }
    }

    private Work statement(String sql) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
    }

    private Work copy(Population.Piece piece) {
        return connection -> {
            for (Map.Entry<Table, CopyText> rows : population.rows(piece).entrySet()) {
                CopyIn copy = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY " + rows.getKey().sqlName() + " FROM STDIN");
                copy.writeToCopy(rows.getValue().bytes(), 0, rows.getValue().length());
                copy.endCopy();
            }
        };
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void inParallel(String what, List<Work> all) throws SQLException, InterruptedException {
        progress.advanced(what, 0, all.size());
        List<Connection> connections = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name("bench-load-", 1).daemon().factory());
        try {
            BlockingQueue<Connection> free = new LinkedBlockingQueue<>();
            for (int i = 0; i < threads; i++) {
                connections.add(database.open());
            }
            free.addAll(connections);
            ExecutorCompletionService<Boolean> running = new ExecutorCompletionService<>(pool);
            all.forEach(work -> running.submit(using(free, work)));
            for (int done = 1; done <= all.size(); done++) {
                running.take().get();
                progress.advanced(what, done, all.size());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
            for (Connection connection : connections) {
                connection.abort(Runnable::run);
            }
        }
    }

    private static Callable<Boolean> using(BlockingQueue<Connection> free, Work work) {
        return () -> {
            Connection connection = free.take();
            try {
                work.on(connection);
            } finally {
                free.add(connection);
            }
            return true;
        };
    }
}
