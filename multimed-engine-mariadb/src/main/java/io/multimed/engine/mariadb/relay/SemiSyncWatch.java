package io.multimed.engine.mariadb.relay;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.wire.EngineConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether the Master's commits wait for the relay. Once some did not, because somebody has switched semi-synchronous replication
 * off or has killed a session whose commit waited, there is a doubt: no floor is known until commits wait again and the relay has
 * received everything that is in the binary log then.
 *
 * <p>Has a thread and a connection of its own. Ends doubts of others too.
 */
public final class SemiSyncWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SemiSyncWatch.class);
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration PERIOD_IN_DOUBT = Duration.ofMillis(10);

    private final MasterAccess master;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final Thread thread;
    private volatile boolean closed;

    // Used by this thread alone:
    private @Nullable EngineConnection connection;
    private long unacknowledged = -1;
    private boolean told;

    public SemiSyncWatch(MasterAccess master, MasterLog masterLog, FreshnessGate gate) {
        this.master = master;
        this.masterLog = masterLog;
        this.gate = gate;
        this.thread = Thread.ofPlatform().daemon().name("multimed-semisync").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                look();
            } catch (IOException | RuntimeException e) {
                LOG.debug("The Master does not tell whether commits wait: {}", e.getMessage());
                disconnect();
            }
            try {
                TimeUnit.MILLISECONDS.sleep((masterLog.isDoubted() ? PERIOD_IN_DOUBT : PERIOD).toMillis());
            } catch (InterruptedException e) {
                LOG.debug("woken", e);
            }
        }
        disconnect();
    }

    private void look() throws IOException {
        EngineConnection open = connection;
        if (open == null) {
            open = master.connect();
            connection = open;
            // The counter of a Master that has been started anew begins anew; the floor was unknown meanwhile.
            unacknowledged = -1;
        }
        boolean waits = open.status("Rpl_semi_sync_master_status").equals("ON")
                && "AFTER_SYNC".equals(open.value("SELECT @@GLOBAL.rpl_semi_sync_master_wait_point"));
        long without = Long.parseLong(open.status("Rpl_semi_sync_master_no_tx"));
        boolean skipped = unacknowledged >= 0 && without != unacknowledged;
        unacknowledged = without;
        if ((skipped || !waits) && !masterLog.isDoubted()) {
            masterLog.doubt();
            gate.progressed();
        }
        tell(waits);
        if (waits && masterLog.isDoubted()) {
            endDoubts(open);
        }
    }

    private void endDoubts(EngineConnection open) throws IOException {
        long doubts = masterLog.doubts();
        if (!open.status("Rpl_semi_sync_master_status").equals("ON")) {
            return;
        }
        String position = open.value("SELECT @@GLOBAL.gtid_binlog_pos");
        masterLog.endDoubts(
                doubts, GtidPosition.parse(position == null ? "" : position).scn());
        gate.progressed();
    }

    private void tell(boolean waits) {
        if (!waits && !told) {
            LOG.warn(
                    "Commits of the Master do not wait for the relay (rpl_semi_sync_master_status is OFF): reads run on the"
                            + " Master until they do");
        } else if (waits && told) {
            LOG.warn("Commits of the Master wait for the relay again");
        }
        told = !waits;
    }

    private void disconnect() {
        EngineConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    /** Ends the thread and waits for it. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
