package io.multimed.engine.mariadb.applied;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.relay.MasterAccess;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.mariadb.wire.EngineSqlException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how far one running engine of a Satellite has applied the Master's log. While readers wait, it waits in the engine for the
 * floor ({@code MASTER_GTID_WAIT}); otherwise it samples the position.
 *
 * <p>It has more fields than other classes, since it is one thread with what it watches, what it reports and when it has looked
 * last.
 *
 * <p>Its thread is the thread of the Satellite's feed: it alone writes {@link ComputationalNode#applied} and reports on the feed.
 */
public final class AppliedWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AppliedWatch.class);

    private static final Duration IDLE = Duration.ofMillis(50);
    /** Longest wait in the engine, after which the floor is looked at again: other readers may need more by then. */
    private static final String WAIT_SECONDS = "0.02";

    private static final Duration LOOK_AT_APPLIERS = Duration.ofMillis(500);
    /** Errors after which the engine has not begun to replicate, or is ending. */
    private static final int SHUTDOWN_IN_PROGRESS = 1053;

    /** The reports on a Satellite's feed; called by the watch's thread alone. */
    public interface Reports {
        void feedConnected();

        void feedLost();

        void feedSilent();

        void feedHeard();

        /** Reports that the engine cannot go on, for a reason in one sentence without a full stop. */
        void unresponsive(String reason);

        /** Returns reports to the supervisor of the Satellite. */
        static Reports to(SatelliteSupervisor supervisor) {
            return new Reports() {
                @Override
                public void feedConnected() {
                    supervisor.feedConnected();
                }

                @Override
                public void feedLost() {
                    supervisor.feedLost();
                }

                @Override
                public void feedSilent() {
                    supervisor.feedSilent();
                }

                @Override
                public void feedHeard() {
                    supervisor.feedHeard();
                }

                @Override
                public void unresponsive(String reason) {
                    supervisor.unresponsive(reason);
                }
            };
        }
    }

    private final ComputationalNode node;
    private final MasterAccess engine;
    private final LongSupplier stream;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final Reports reports;
    private final Thread thread;
    private final Object lock = new Object();
    /** Guarded by {@code lock}. */
    private boolean demanded;

    private volatile boolean closed;

    // Used by this thread alone:
    private long reportedStream;
    private boolean silent;
    private long appliersLookedAt;

    /**
     * @param engine connects to the Satellite's engine
     * @param stream the number of the stream of log that the engine receives now; 0 if it receives none
     * @param gate notified when the Satellite has applied more
     */
    public AppliedWatch(
            ComputationalNode node,
            MasterAccess engine,
            LongSupplier stream,
            MasterLog masterLog,
            FreshnessGate gate,
            Reports reports) {
        this.node = node;
        this.engine = engine;
        this.stream = stream;
        this.masterLog = masterLog;
        this.gate = gate;
        this.reports = reports;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("multimed-applied-" + node.id())
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Asks for the position at once, because a reader waits. Any thread; does not block. */
    public void demand() {
        synchronized (lock) {
            demanded = true;
            lock.notifyAll();
        }
    }

    private void run() {
        while (!closed) {
            try (EngineConnection connection = engine.connect()) {
                if (silent) {
                    silent = false;
                    reports.feedHeard();
                }
                watch(connection);
            } catch (IOException | RuntimeException e) {
                LOG.debug("{} does not tell its position: {}", node.id(), e.getMessage());
                if (!closed && !silent && reportedStream != 0) {
                    silent = true;
                    reports.feedSilent();
                }
                pause(IDLE);
            }
        }
        stream(0);
    }

    private void watch(EngineConnection connection) throws IOException {
        while (!closed) {
            stream(stream.getAsLong());
            if (reportedStream != 0) {
                look(connection);
            }
            if (!gate.readersWait() || reportedStream == 0 || node.applied() >= masterLog.floor()) {
                pause(IDLE);
            }
        }
    }

    /** Reports that the engine receives another stream than before, or none. */
    private void stream(long now) {
        if (now == reportedStream) {
            return;
        }
        if (reportedStream != 0) {
            reports.feedLost();
        }
        reportedStream = now;
        if (now != 0) {
            reports.feedConnected();
        }
    }

    private void look(EngineConnection connection) throws IOException {
        long floor = masterLog.floor();
        long applied = node.applied();
        if (floor != Floor.UNKNOWN && floor > applied && gate.readersWait()) {
            String waited = connection.value(
                    "SELECT MASTER_GTID_WAIT('" + GtidPosition.DOMAIN + "-1-" + floor + "', " + WAIT_SECONDS + ")");
            if ("0".equals(waited)) {
                applied(floor);
                return;
            }
        }
        String position = connection.value("SELECT @@GLOBAL.gtid_slave_pos");
        applied(GtidPosition.parse(position == null ? "" : position).scn());
        long now = System.nanoTime();
        if (now - appliersLookedAt > LOOK_AT_APPLIERS.toNanos()) {
            appliersLookedAt = now;
            requireAppliers(connection);
        }
    }

    private void applied(long scn) {
        if (scn > node.applied()) {
            node.applied(scn);
            gate.progressed();
        }
    }

    /** Reports an engine whose appliers have ended: it would never be fresh again. */
    private void requireAppliers(EngineConnection connection) throws IOException {
        List<List<@Nullable String>> rows = connection.query(
                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND IN ('Slave_SQL', 'Slave_worker')");
        String running = rows.isEmpty() ? null : rows.getFirst().getFirst();
        if ("0".equals(running)) {
            reports.unresponsive("its replication has stopped: " + lastError(connection));
        }
    }

    private static String lastError(EngineConnection connection) throws IOException {
        try {
            List<List<@Nullable String>> rows = connection.query("SHOW SLAVE STATUS");
            for (@Nullable String value : rows.isEmpty() ? List.<@Nullable String>of() : rows.getFirst()) {
                if (value != null && value.contains("Error")) {
                    return value.strip();
                }
            }
            return "no message";
        } catch (EngineSqlException e) {
            return e.code() == SHUTDOWN_IN_PROGRESS ? "it is ending" : String.valueOf(e.getMessage());
        }
    }

    private void pause(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (lock) {
            try {
                long left = longest.toMillis();
                while (!demanded && !closed && left > 0) {
                    lock.wait(left);
                    left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                }
            } catch (InterruptedException e) {
                LOG.debug("only close ends the watch", e);
            }
            demanded = false;
        }
    }

    /** Ends the thread and waits for it; the feed has then been reported lost. */
    @Override
    public void close() {
        closed = true;
        demand();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
