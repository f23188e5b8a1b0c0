package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.WriteSetFeed;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Creates Satellites, at the start and after a failure, and finds a new Master.
 *
 * <p>A Satellite is copied from another one if any serves, which disturbs no session. Otherwise, or if such a copy has failed
 * later, it is copied from the Master while nothing commits. A Master in memory is replaced by a Satellite that has applied every
 * commit. A persistent Master is opened again, since the data on disk is authoritative, and the Satellites are rebuilt from it.
 */
final class Recovery {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long GATE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Time after a failed wait during which the Master is copied only if no update transaction happens to be open. */
    private static final long INSIST_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** Longest time that a session waits for a new Master before it gets an error. */
    private static final long MASTER_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Time after which a Satellite that is to become the Master ends the transactions of its readers. */
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ReplicatedDatabase database;
    private final EngineFamily family;
    private final Properties credentials;
    /** The epoch of the last Master, while there is no Master. */
    private @Nullable Epoch lost;

    Recovery(ReplicatedDatabase database, EngineFamily family, Properties credentials) {
        this.database = database;
        this.family = family;
        this.credentials = credentials;
    }

    /**
     * The source of a Satellite.
     *
     * @param ofSatellite whether the image is of another Satellite
     */
    private record Copy(MasterEngine.Image image, WriteSetFeed.Position<Changes> at, boolean ofSatellite)
            implements AutoCloseable {
        @Override
        public void close() {
            image.close();
        }
    }

    /** Creates the first Satellites, before there are sessions. */
    void makeAll() throws SQLException {
        try (Copy copy = ofMaster(master(), GATE_NANOS)) {
            for (Satellite satellite : database.satellites()) {
                make(satellite, copy, 0);
            }
        } catch (SQLTimeoutException e) {
            // The error already tells the user what to do.
            throw e;
        } catch (SQLException | RuntimeException e) {
            throw RuntimeErrors.replicasNotMade(e);
        }
    }

    private boolean make(Satellite satellite, Copy copy, int turn) throws SQLException {
        return satellite.make(
                copy.image, copy.ofSatellite, database.log(), copy.at, turn, made -> failed(satellite, made));
    }

    /** Handles the failure of a Satellite that was made in that turn and is out of rotation. Any thread; returns at once. */
    private void failed(Satellite satellite, int made) {
        rebuild(satellite, () -> {
            int turn = satellite.end(made);
            if (turn != Satellite.NOBODYS) {
                remake(satellite, turn);
            }
        });
    }

    private void rebuild(Satellite satellite, Runnable work) {
        if (!database.closed()) {
            Thread thread =
                    new Thread(work, "multimed-rebuild-" + satellite.node().id());
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Creates a new engine. Tries until it succeeds or another thread has the turn. */
    private void remake(Satellite satellite, int turn) {
        long insistAt = System.nanoTime();
        // Otherwise two Satellites with the same difference would copy it from each other again and again.
        boolean differed = satellite.differed();
        boolean ofMaster = satellite.ofSatellite();
        while (!database.closed() && satellite.isTurn(turn)) {
            boolean insists = System.nanoTime() - insistAt >= 0;
            long gateNanos = insists ? GATE_NANOS : 0;
            try (Copy copy = differed || ofMaster ? ofMaster(master(), gateNanos) : copy(gateNanos)) {
                boolean made = make(satellite, copy, turn);
                if (made && database.closed()) {
                    satellite.end();
                }
                return;
            } catch (SQLException | RuntimeException e) {
                satellite.detail(String.valueOf(e.getMessage()));
                ofMaster = false;
                if (insists && e instanceof SQLTimeoutException) {
                    // A transaction that stays open must not make the gate hold up all others again and again.
                    insistAt = System.nanoTime() + INSIST_NANOS;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private Copy copy(long gateNanos) throws SQLException {
        Copy copy = ofSatellite();
        return copy == null ? ofMaster(master(), gateNanos) : copy;
    }

    private Epoch master() throws SQLException {
        return database.masters().epochFor(credentials);
    }

    private @Nullable Copy ofSatellite() throws SQLException {
        for (Satellite other : database.satellites()) {
            Satellite.Running running = other.running();
            if (running != null && running.usable()) {
                Optional<Copy> copy =
                        running.feed().<Optional<Copy>, SQLException>quiesced(at -> ofRunning(running, at));
                if (copy.isPresent()) {
                    return copy.get();
                }
            }
        }
        return null;
    }

    private static Optional<Copy> ofRunning(Satellite.Running running, WriteSetFeed.Position<Changes> at)
            throws SQLException {
        // Checked again: the Satellite may have failed just now, in the middle of a write set.
        if (!running.usable()) {
            return Optional.empty();
        }
        MasterEngine.Image image = running.engine().image();
        if (running.usable()) {
            return Optional.of(new Copy(image, at, true));
        }
        // The engine was ended meanwhile: some engines present an empty database instead of one that has ended.
        image.close();
        return Optional.empty();
    }

    private Copy ofMaster(Epoch epoch, long gateNanos) throws SQLException {
        if (!Definitions.shut(epoch, gateNanos)) {
            throw RuntimeErrors.gateBusy(gateNanos);
        }
        try {
            return copy(epoch);
        } finally {
            epoch.gate().open();
        }
    }

    /** Copies the Master. Call it while no change of the catalog runs. */
    private Copy copy(Epoch epoch) throws SQLException {
        return database.log()
                .quiesced(() -> new Copy(epoch.master().image(), WriteSetFeed.Position.end(database.log()), false));
    }

    /**
     * Does the same as {@link #resynchronize}, unless the Master has failed: a Satellite that is about to take its place must not
     * be ended.
     */
    synchronized void resynchronizeIfCurrent(Epoch epoch, String why) throws SQLException {
        if (database.masters().isCurrent(epoch)) {
            resynchronize(epoch, why);
        }
    }

    /**
     * Rebuilds the Satellites from the Master, because they lack a commit that was not announced. Call it while no change of the
     * catalog runs.
     */
    void resynchronize(Epoch epoch, String why) throws SQLException {
        // The copy comes first: if the Master fails now, only the Satellites are left.
        try (Copy copy = copy(epoch)) {
            replaceAll(copy, why);
        }
    }

    private void replaceAll(Copy copy, String why) {
        // All are taken out of rotation at once, so that none is the source of another.
        List<Satellite> satellites = database.satellites();
        int[] turns = new int[satellites.size()];
        for (int i = 0; i < turns.length; i++) {
            satellites.get(i).detail(why);
            turns[i] = satellites.get(i).end();
        }
        for (int i = 0; i < turns.length; i++) {
            Satellite satellite = satellites.get(i);
            int turn = turns[i];
            try {
                make(satellite, copy, turn);
            } catch (SQLException e) {
                satellite.detail(String.valueOf(e.getMessage()));
                rebuild(satellite, () -> remake(satellite, turn));
            }
        }
    }

    /**
     * Replaces the Master of that epoch, which has failed. Returns once there is another one; the first thread to call this finds
     * it.
     *
     * @param by credentials of the session that calls
     * @throws SQLException 08006 if there is none; the cause if the database was shut down
     */
    synchronized void masterFailed(Epoch failed, @Nullable SQLException cause, Properties by) throws SQLException {
        if (database.closed()) {
            throw cause == null ? RuntimeErrors.shutDown() : cause;
        }
        if (database.masters().isCurrent(failed)) {
            // From here on no transaction of the old epoch commits. All earlier commits are in the log.
            database.log()
                    .<RuntimeException>exclusively(() -> database.masters().epoch(null));
            lost = failed;
        }
        findMaster(cause, by);
    }

    /**
     * Returns the Master, and finds one if there is none.
     *
     * @param cause the reason why there is none
     * @param by credentials of the session that needs it
     * @throws SQLException 08006 if there is still none
     */
    synchronized Epoch findMaster(@Nullable SQLException cause, Properties by) throws SQLException {
        Epoch now = database.masters().epochIfAny();
        Epoch before = lost;
        if (now != null) {
            return now;
        }
        if (before == null) {
            throw RuntimeErrors.noMaster(cause);
        }
        try {
            now = before.master().persistent() ? reopen(before, by) : promote(before);
        } catch (SQLException | RuntimeException e) {
            if (cause != null) {
                e.addSuppressed(cause);
            }
            throw RuntimeErrors.noMaster(e);
        }
        database.masters().epoch(now);
        lost = null;
        return now;
    }

    /** Runs work that ends the engine. Other threads do not look for another Master meanwhile, nor afterwards. */
    synchronized <T extends @Nullable Object> T shutDown(EmbeddedSession.Work<T> work) throws SQLException {
        try {
            return work.run();
        } finally {
            Epoch now = database.masters().epochIfAny();
            if (now == null || now.master().ended()) {
                database.close();
            }
        }
    }

    private Epoch promote(Epoch failed) throws SQLException {
        SQLException none = new SQLException("no replica has everything that was committed");
        for (Satellite satellite : database.satellites()) {
            Satellite.Running running = satellite.running();
            if (running != null && running.usable() && caughtUp(running)) {
                int turn = satellite.take();
                try {
                    MasterEngine master = promote(running, failed);
                    failed.master().release();
                    return database.masters().epochOf(master);
                } catch (SQLException | RuntimeException e) {
                    // This Satellite has failed as well, so the next one is tried.
                    running.engine().close();
                    none.addSuppressed(e);
                } finally {
                    rebuild(satellite, () -> remake(satellite, turn));
                }
            }
        }
        throw none;
    }

    /**
     * Promotes a Satellite. The engine may wait until no session reads any more, so reads that take longer are ended and must be
     * repeated.
     */
    private static MasterEngine promote(Satellite.Running running, Epoch failed) throws SQLException {
        CountDownLatch promoted = new CountDownLatch(1);
        Thread ender = new Thread(
                () -> {
                    try {
                        while (!promoted.await(READERS_NANOS, TimeUnit.NANOSECONDS)) {
                            running.readers().endTransactions();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "multimed-promotion");
        ender.setDaemon(true);
        ender.start();
        try {
            return running.engine().promote(failed.master());
        } finally {
            promoted.countDown();
        }
    }

    private boolean caughtUp(Satellite.Running running) {
        try {
            return running.feed().reach(database.log().floor(), MASTER_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Opens the Master again, with the credentials of the present session: the password of the session that opened it first may
     * have changed.
     */
    private Epoch reopen(Epoch failed, Properties by) throws SQLException {
        failed.master().release();
        MasterEngine master = family.open(database.options().engineUrl(), by, true);
        try {
            Epoch epoch = database.masters().epochOf(master);
            resynchronize(epoch, "the master was opened again");
            return epoch;
        } catch (SQLException | RuntimeException e) {
            // The next attempt opens the engine again.
            master.release();
            throw e;
        }
    }
}
