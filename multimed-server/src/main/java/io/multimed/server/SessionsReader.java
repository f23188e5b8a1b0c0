package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.services.EngineSessions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the activity of the engines' sessions, for clients that query Multimed. It has a thread of its own, since an engine may
 * hang; callers do not wait for that.
 */
final class SessionsReader implements EngineSessions {
    /** Connects to a node as its superuser; blocks until it answers. */
    @FunctionalInterface
    interface Connections {
        Connection open(ComputationalNode node) throws SQLException;
    }

    private static final Logger log = LoggerFactory.getLogger(SessionsReader.class);
    private static final int KEPT_SECONDS = 10;
    /** Largest number of requests that are kept while an engine hangs. */
    private static final int MOST_WAITING = 100;

    private final ComputationalNode master;
    private final Connections connections;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            KEPT_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("multimed-sessions").factory());

    SessionsReader(ComputationalNode master, Connections connections) {
        this.master = master;
        this.connections = connections;
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void look(String role, Collection<ComputationalNode> nodes, Consumer<Seen> found) {
        try {
            thread.execute(() -> found.accept(read(role, List.copyOf(nodes))));
        } catch (RejectedExecutionException tooMany) {
            found.accept(Seen.NOTHING);
        }
    }

    private Seen read(String role, List<ComputationalNode> nodes) {
        Set<String> visible = new HashSet<>();
        Set<String> signalable = new HashSet<>();
        try (Connection connection = connections.open(master);
                PreparedStatement statement = connection.prepareStatement(RIGHTS + "?")) {
            statement.setString(1, role);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getBoolean(2)) {
                        visible.add(rows.getString(1));
                    }
                    if (rows.getBoolean(3)) {
                        signalable.add(rows.getString(1));
                    }
                }
            }
        } catch (SQLException e) {
            log.info("The Master does not tell whose sessions {} may see: {}", role, e.getMessage());
        }
        Map<ComputationalNode, Map<Integer, String>> sessions = new HashMap<>();
        nodes.forEach(node -> sessions.put(node, sessions(node)));
        return new Seen(visible, signalable, sessions);
    }

    private Map<Integer, String> sessions(ComputationalNode node) {
        Map<Integer, String> sessions = new HashMap<>();
        try (Connection connection = connections.open(node);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SESSIONS)) {
            while (rows.next()) {
                sessions.put(rows.getInt(1), rows.getString(2));
            }
        } catch (SQLException e) {
            log.info("{} does not tell what its sessions do: {}", node.id(), e.getMessage());
        }
        return sessions;
    }
}
