package io.multimed.server.master;

import io.multimed.core.tasks.HeardTask;
import io.multimed.engine.postgresql.catalog.LastingConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the Master has read its configuration files again (ALTER SYSTEM and pg_reload_conf, a signal, a start), which does
 * not appear in its log. Has a thread and a connection of its own.
 */
public final class ReloadWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReloadWatch.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Runnable reloaded;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("multimed-reload").daemon().unstarted(this::run);

    // Accessed by the thread alone:
    private final LastingConnection connection;
    private String loaded = "";

    /** @param reloaded called by the thread when files have been read since the last call, and once at the beginning */
    public ReloadWatch(MasterConnections connections, Runnable reloaded) {
        this.connection = new LastingConnection(() -> connections.open("postgres"));
        this.reloaded = reloaded;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            HeardTask look = new HeardTask(
                    this::look, e -> log.error("Whether the Master has read its settings could not be checked", e));
            do {
                look.run();
            } while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // Only close ends this thread.
            log.debug("Interrupted");
        } finally {
            connection.giveUp();
        }
    }

    private void look() {
        try (Statement statement = connection.get().createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_catalog.pg_conf_load_time()::pg_catalog.text")) {
            row.next();
            String now = row.getString(1);
            if (!now.equals(loaded)) {
                loaded = now;
                reloaded.run();
            }
        } catch (SQLException | RuntimeException e) {
            log.debug("Not known whether the Master has read its settings: {}", e.getMessage());
            connection.giveUp();
        }
    }

    /** Ends the thread, which may continue with its present check. */
    @Override
    public void close() {
        closed.countDown();
    }
}
