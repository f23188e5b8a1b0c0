package io.multimed.bench.load;

import io.multimed.bench.Interruptible;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Works on a database with several connections at once. An interrupt ends the work half-way, with no thread left. */
public record Parallel(Connector database, int threads, LoadProgress progress) {
    /** A piece of the work, on a connection that no other thread uses meanwhile. */
    public interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** Makes the rows of one piece of a population. */
    public interface Making<P> {
        void rows(P piece, Rows into) throws SQLException;
    }

    /** Loads all rows of a population. */
    public <P> void rows(BulkLoad load, List<P> pieces, Making<P> making) throws SQLException, InterruptedException {
        all(
                "rows",
                pieces.stream()
                        .<Work>map(piece -> connection -> load.load(connection, into -> making.rows(piece, into)))
                        .toList());
    }

    /** Executes statements one after the other, on one connection. */
    public void inOrder(List<String> statements) throws SQLException, InterruptedException {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                Interruptible.perform(() -> statement.execute(sql), connection);
            }
        }
    }

    /** Executes statements none of which depends on another one. */
    public void statements(String what, List<String> statements) throws SQLException, InterruptedException {
        all(
                what,
                statements.stream()
                        .<Work>map(sql -> connection -> execute(connection, sql))
                        .toList());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Executes, one after the other, the statements that follow loading, such as the one for PostgreSQL's statistics. */
    public void settle(List<String> statements) throws SQLException, InterruptedException {
        if (!statements.isEmpty()) {
            progress.advanced("statistics", 0, 1);
            inOrder(statements);
            progress.advanced("statistics", 1, 1);
        }
    }

    public void all(String what, List<Work> all) throws SQLException, InterruptedException {
        progress.advanced(what, 0, all.size());
        List<Connection> connections = new ArrayList<>();
        boolean done = false;
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
            for (int steps = 1; steps <= all.size(); steps++) {
                running.take().get();
                progress.advanced(what, steps, all.size());
            }
            done = true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
            for (Connection connection : connections) {
                if (done) {
                    connection.close();
                } else {
                    connection.abort(Runnable::run);
                }
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
