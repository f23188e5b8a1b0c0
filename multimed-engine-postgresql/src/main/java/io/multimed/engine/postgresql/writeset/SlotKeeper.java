package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has changes captured on the Master, and looks after that with a thread of its own: at once when somebody has left, else every second.
 * It leaves out tables that nobody needs, or that have lost their replica identity; drops everything when nobody is left; and gives up what
 * somebody else has changed, or what would fill the Master's disk.
 */
final class SlotKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SlotKeeper.class);
    private static final String NO_DATABASE = "3D000";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Between attempts to drop what somebody uses: each may hold others up. */
    private static final long LAST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(16);

    private final MasterDatabase database;
    private final WriteSetLimits limits;
    private final Capture capture;
    private final Receivers receivers;

    /** Guards the objects on the Master; held while it answers. */
    private final ReentrantLock administration = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    /** Whether there may be a slot or a publication. Guarded by {@link #lock}, as all that follows. */
    private boolean objects;

    private boolean looksNow;
    private boolean closed;
    private @Nullable Thread thread;

    SlotKeeper(MasterDatabase database, WriteSetLimits limits, Capture capture) {
        this.database = database;
        this.limits = limits;
        this.capture = capture;
        receivers = new Receivers(database, limits, capture, this::lookNow);
    }

    Receivers receivers() {
        return receivers;
    }

    /** See {@link MasterWriteSets#prepare}. */
    Receivers.Receiver prepare(Collection<String> tables) throws EngineException, InterruptedException {
        Receivers.Receiver receiver = null;
        boolean prepared = false;
        try (Connection master = database.connect()) {
            administration.lockInterruptibly();
            try {
                receiver = receivers.announce(tables);
                receiver.receives(begin(master, tables));
            } finally {
                administration.unlock();
            }
            capture.awaitWriters(master, tables, limits.patience());
            // Every later commit is behind it.
            receiver.holdFrom(MasterDatabase.number(master, "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint"));
            prepared = true;
            return receiver;
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot prepare the write sets of " + String.join(", ", tables) + ": " + e.getMessage() + ".", e);
        } finally {
            if (!prepared && receiver != null) {
                receiver.close();
            }
        }
    }

    /** @return the marks of the tables that are captured */
    private Set<String> begin(Connection master, Collection<String> tables)
            throws SQLException, EngineException, InterruptedException {
        keep();
        Capture.Begun begun = capture.begin(master, tables, receivers.haveSource(), limits.patience());
        ChangeSource source = begun.source();
        if (source != null) {
            receivers.sourceCreated(source, begun.from());
        }
        return begun.marks();
    }

    /** Begins to look. */
    private void keep() {
        lock.lock();
        try {
            objects = true;
            woken.signalAll();
            if (thread == null) {
                Thread started = Thread.ofPlatform()
                        .daemon()
                        .name("multimed-writesets-keeper")
                        .unstarted(this::run);
                thread = started;
                started.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has the next look come at once. Any thread. */
    void lookNow() {
        lock.lock();
        try {
            looksNow = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Connection master = null;
        try {
            boolean last = false;
            long pause = LOOK_NANOS;
            while (!last) {
                last = awaitLook(pause);
                boolean mayHaveEnded = master != null;
                administration.lock();
                try {
                    if (hasObjects()) {
                        master = master == null ? database.connect() : master;
                        look(master);
                    }
                    pause = LOOK_NANOS;
                } catch (SQLException e) {
                    LOG.debug("Looking after the publication: {}", e.getMessage());
                    close(master);
                    master = null;
                    if (NO_DATABASE.equals(e.getSQLState())) {
                        giveUp(String.valueOf(e.getMessage()));
                    }
                    pause = receivers.names().isEmpty() ? Math.min(2 * pause, LAST_LOOK_NANOS) : LOOK_NANOS;
                    // The last look must not fail because the Master has restarted since the one before.
                    last &= !mayHaveEnded;
                } finally {
                    administration.unlock();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The keeper was interrupted");
        } finally {
            close(master);
        }
    }

    /** Ends all receivers of a database that is gone. */
    private void giveUp(String reason) throws InterruptedException {
        receivers.fail(new EngineException(reason));
        receivers.endLanes();
        MasterDatabase other = new MasterDatabase(database.master(), database.user(), "postgres");
        try (Connection master = other.connect()) {
            CaptureSlots.dropOfGone(master);
        } catch (SQLException e) {
            LOG.debug("Dropping slots of databases that are gone: {}", e.getMessage());
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("Closing a connection: {}", e.getMessage());
        }
    }

    /** Waits for the next look; returns whether it is the last. */
    private boolean awaitLook(long pause) throws InterruptedException {
        lock.lock();
        try {
            long left = pause;
            while (!looksNow && !closed && left > 0) {
                if (objects) {
                    // Somebody may have come.
                    left = Math.min(woken.awaitNanos(left), LOOK_NANOS);
                } else {
                    woken.await();
                }
            }
            looksNow = false;
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasObjects() {
        lock.lock();
        try {
            return objects;
        } finally {
            lock.unlock();
        }
    }

    private void look(Connection master) throws SQLException, InterruptedException {
        Set<String> names = receivers.names();
        if (names.isEmpty()) {
            dropAll(master);
            return;
        }
        String full = lackOfRoom(master);
        if (!full.isEmpty()) {
            LOG.warn("{}", full);
            receivers.fail(new EngineException(full));
        }
        String damage = capture.damage(master);
        if (!damage.isEmpty()) {
            receivers.fail(new EngineException(damage));
        }
        Map<String, String> without = PublishedTables.withoutIdentity(master, names);
        receivers.fail(without);
        names = receivers.names();
        try {
            if (names.isEmpty()) {
                dropAll(master);
            } else {
                capture.retain(master, names);
            }
        } finally {
            if (!full.isEmpty()) {
                // Only a checkpoint removes the log that was kept, and the next one may be far off.
                checkpoint(master);
            }
        }
    }

    private static void checkpoint(Connection master) throws SQLException {
        try (Statement statement = master.createStatement()) {
            statement.execute("CHECKPOINT");
        }
    }

    /** Returns why the Master's log must not be held any longer; empty if it may. */
    private String lackOfRoom(Connection master) throws SQLException {
        try (Statement statement = master.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('data_directory'),"
                        + " pg_size_bytes(current_setting('max_wal_size'))")) {
            row.next();
            Path log = Path.of(row.getString(1)).resolve("pg_wal");
            long room = limits.room() == WriteSetLimits.AS_MASTER
                    ? Math.min(row.getLong(2), WriteSetLimits.MOST_ROOM)
                    : limits.room();
            return Files.getFileStore(log).getUsableSpace() >= room
                    ? ""
                    : "There is little room left in " + log
                            + ": the Master no longer keeps its log for partial Satellites.";
        } catch (IOException e) {
            LOG.debug("The room for the Master's log is not known: {}", e.getMessage());
            return "";
        }
    }

    /** Ends the lanes, and drops what was made on the Master; nobody lives. */
    private void dropAll(Connection master) throws SQLException, InterruptedException {
        receivers.endLanes();
        capture.drop(master);
        lock.lock();
        try {
            objects = false;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all receivers, and drops the slot and the publication if the Master answers. */
    void close() {
        receivers.close();
        Thread keeping;
        lock.lock();
        try {
            closed = true;
            woken.signalAll();
            keeping = thread;
        } finally {
            lock.unlock();
        }
        try {
            if (keeping != null) {
                keeping.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
