package io.multimed.bench.freshness;

import io.multimed.bench.BenchException;
import io.multimed.bench.Interruptible;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Commits now and then, and queries a Satellite until it shows the commit: the time from acknowledged to visible. A thread of
 * its own.
 */
final class Probe implements AutoCloseable {
    /** Pause between two commits: each look takes processor time from the measured system. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String url;
    private final Node satellite;
    private final Times times;
    private final Thread thread;
    private volatile boolean going = true;
    private volatile @Nullable SQLException failure;

    private Probe(RunningSystem system, Node satellite, Times times) {
        this.url = system.address().url(Template.DATABASE);
        this.satellite = satellite;
        this.times = times;
        this.thread = Thread.ofPlatform().name("bench-probe").daemon().unstarted(this::run);
    }

    /**
     * @param times receives the time that each commit took
     */
    static Probe start(RunningSystem system, Node satellite, Times times) {
        Probe probe = new Probe(system, satellite, times);
        probe.thread.start();
        return probe;
    }

    private void run() {
        try (Connection writer = DriverManager.getConnection(url);
                Connection reader = satellite.open(Template.DATABASE);
                Statement write = writer.createStatement();
                Statement read = reader.createStatement()) {
            for (long version = 1; going; version++) {
                write.executeUpdate("UPDATE freshness SET version = " + version + " WHERE id = 0");
                long acknowledged = System.nanoTime();
                while (going && seen(read) < version) {
                    Thread.onSpinWait();
                }
                if (going) {
                    times.add(System.nanoTime() - acknowledged);
                    Thread.sleep(PAUSE);
                }
            }
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static long seen(Statement read) throws SQLException {
        try (ResultSet row = read.executeQuery("SELECT version FROM freshness WHERE id = 0")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Ends the probe. An interrupt is kept for later. */
    @Override
    public void close() throws BenchException {
        going = false;
        Interruptible.keeping(() -> thread.join(PATIENCE));
        SQLException failed = failure;
        if (failed != null) {
            throw new BenchException("the probe on " + satellite.name() + " failed: " + failed.getMessage(), failed);
        }
    }
}
