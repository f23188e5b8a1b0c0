package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Interruptible;
import io.multimed.bench.client.Query;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Observes the engines of a system a few times a second, past any middleware: the same for every system. Its thread alone uses
 * the connections while the window is open.
 */
final class EngineObserver implements Observer, AutoCloseable {
    private static final long EVERY_MILLIS = 250;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RunningSystem system;
    private final Map<Node, Connection> connections = new LinkedHashMap<>();
    private final Map<String, Looks> looks = new HashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread thread;
    private long loggedBefore;
    private Inside.Waits waitsBefore = Inside.Waits.NONE;

    /** Connects before the clients, which may take all available connections. */
    EngineObserver(RunningSystem system) throws SQLException {
        this.system = system;
        try {
            for (Node node : system.nodes()) {
                looks.put(node.name(), new Looks());
                connections.put(node, node.open(Template.DATABASE));
            }
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void begin() throws BenchException {
        try {
            loggedBefore = loggedBytes();
        } catch (SQLException e) {
            throw new BenchException("the Master does not tell how much it logged: " + e.getMessage(), e);
        }
        waitsBefore = system.waits().orElse(Inside.Waits.NONE);
        thread = Thread.ofPlatform().name("bench-observer").daemon().start(this::observe);
    }

    private void observe() {
        try {
            while (!ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        for (Map.Entry<Node, Connection> connected : connections.entrySet()) {
            try (Statement statement = connected.getValue().createStatement();
                    ResultSet rows =
                            statement.executeQuery(connected.getKey().queries().sessions())) {
                Map<String, Integer> sessions = new HashMap<>();
                while (rows.next()) {
                    sessions.put(rows.getString(1), rows.getInt(2));
                }
                of(connected.getKey().name()).sessions(sessions);
            } catch (SQLException missed) {
                // An engine that has ended makes the run void; a look that was cancelled by recovery is one look less.
            }
        }
        try {
            system.lagMillis().forEach((node, lag) -> of(node).lag(lag));
        } catch (IllegalStateException missed) {
            // The same holds for the middleware.
            return;
        }
    }

    private Looks of(String node) {
        return looks.getOrDefault(node, new Looks());
    }

    @Override
    public Inside end() {
        Thread observing = thread;
        if (observing == null) {
            return Inside.NOTHING;
        }
        ended.countDown();
        Interruptible.keeping(() -> observing.join(PATIENCE));
        Map<String, Inside.Engine> nodes = new HashMap<>();
        connections
                .keySet()
                .forEach(node -> nodes.put(node.name(), of(node.name()).of(node.memoryDiskBytes())));
        Inside.Waits waits = system.waits().map(now -> now.since(waitsBefore)).orElse(Inside.Waits.NONE);
        return new Inside(
                connections.keySet().iterator().next().name(), nodes, waits, observing.isAlive() ? 0 : logged());
    }

    private long logged() {
        try {
            return loggedBytes() - loggedBefore;
        } catch (SQLException e) {
            // A Master that does not answer makes the run void.
            return 0;
        }
    }

    private long loggedBytes() throws SQLException {
        Map.Entry<Node, Connection> master = connections.entrySet().iterator().next();
        return Query.number(master.getValue(), master.getKey().queries().loggedBytes());
    }

    @Override
    public void close() {
        ended.countDown();
        for (Connection connection : connections.values()) {
            try {
                connection.close();
            } catch (SQLException gone) {
                // The engine has ended, and the connection with it.
            }
        }
    }
}
