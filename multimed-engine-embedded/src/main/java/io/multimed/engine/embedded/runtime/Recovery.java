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
 * Makes Satellites, at the start and when one has failed, and finds a new Master.
 *
 * <p>A Satellite is copied from another one if any serves, which disturbs nobody; else, or if it has failed after that, from
 * the Master, while nothing commits. A Master in memory is replaced by a Satellite that has applied every commit; a persistent one is
 * opened again, since what is on disk is what counts, and the Satellites are made anew from it.
 */
final class Recovery {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long GATE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** If that was in vain, for how long the Master is only copied when no update transaction happens to be open. */
    private static final long INSIST_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** How long a session waits for a new Master before it is told that there is none. */
    private static final long MASTER_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** How long a Satellite that is to be the Master may have to wait for those who read there. */
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ReplicatedDatabase database;
    private final EngineFamily family;
    private final Properties credentials;
    /** The last Master, while there is none. */
    private @Nullable Epoch lost;

    Recovery(ReplicatedDatabase database, EngineFamily family, Properties credentials) {
        this.database = database;
        this.family = family;
        this.credentials = credentials;
    }

    /**
     * What a Satellite is made of.
     *
     * @param ofSatellite whether of another one
     */
    private record Copy(MasterEngine.Image image, WriteSetFeed.Position<Changes> at, boolean ofSatellite)
            implements AutoCloseable {
        @Override
        public void close() {
            image.close();
        }
    }

    /** The first ones, before there are sessions. */
    void makeAll() throws SQLException {
        try (Copy copy = ofMaster(master(), GATE_NANOS)) {
            for (Satellite satellite : database.satellites()) {
                make(satellite, copy, 0);
            }
        } catch (SQLTimeoutException e) {
            // Says itself what to do.
            throw e;
        } catch (SQLException | RuntimeException e) {
            throw Errors.replicasNotMade(e);
        }
    }

    private boolean make(Satellite satellite, Copy copy, int turn) throws SQLException {
        return satellite.make(
                copy.image, copy.ofSatellite, database.log(), copy.at, turn, made -> failed(satellite, made));
    }

    /** A Satellite, made in that turn, has failed and is out of rotation. Any thread; returns at once. */
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

    /** Goes on until there is an engine, or somebody else has the turn. */
    private void remake(Satellite satellite, int turn) {
        long insistAt = System.nanoTime();
        // Else two that have diverged alike would hand that to each other, again and again.
        boolean ofMaster = satellite.ofSatellite() || satellite.differed();
        while (!database.closed() && satellite.isTurn(turn)) {
            boolean insists = System.nanoTime() - insistAt >= 0;
            long gateNanos = insists ? GATE_NANOS : 0;
            try (Copy copy = ofMaster ? ofMaster(master(), gateNanos) : copy(gateNanos)) {
                boolean made = make(satellite, copy, turn);
                if (made && database.closed()) {
                    satellite.end();
                }
                return;
            } catch (SQLException | RuntimeException e) {
                satellite.detail(String.valueOf(e.getMessage()));
                ofMaster = false;
                if (insists && e instanceof SQLTimeoutException) {
                    // A transaction that stays open must not hold up all others again and again.
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
        return database.epochFor(credentials);
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
        // Asked again: it may have failed just now, amid a write set.
        if (!running.usable()) {
            return Optional.empty();
        }
        MasterEngine.Image image = running.engine().image();
        if (running.usable()) {
            return Optional.of(new Copy(image, at, true));
        }
        // It was ended meanwhile: some engines make an empty database of what is no more.
        image.close();
        return Optional.empty();
    }

    private Copy ofMaster(Epoch epoch, long gateNanos) throws SQLException {
        if (!Definitions.shut(epoch, gateNanos)) {
            throw Errors.gateBusy(GATE_NANOS);
        }
        try {
            return copy(epoch);
        } finally {
            epoch.gate().open();
        }
    }

    /** While no catalog changes. */
    private Copy copy(Epoch epoch) throws SQLException {
        return database.log()
                .quiesced(() -> new Copy(epoch.master().image(), WriteSetFeed.Position.end(database.log()), false));
    }

    /**
     * As {@link #resynchronize}, unless the Master has failed: a Satellite that is about to take its place must not be ended.
     */
    synchronized void resynchronizeIfCurrent(Epoch epoch, String why) throws SQLException {
        if (database.current(epoch)) {
            resynchronize(epoch, why);
        }
    }

    /** The Satellites lack something that nobody announced: they are made anew, of the Master, while no catalog changes. */
    void resynchronize(Epoch epoch, String why) throws SQLException {
        // First: if the Master fails now, the Satellites are what is left.
        try (Copy copy = copy(epoch)) {
            replaceAll(copy, why);
        }
    }

    private void replaceAll(Copy copy, String why) {
        // All at once out of rotation: none may be a source for another.
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
     * The Master of that epoch has failed. Returns once there is another, found by whoever comes first.
     *
     * @param by credentials of who comes
     * @throws SQLException 08006 if there is none; the cause if the database was shut down
     */
    synchronized void masterFailed(Epoch failed, @Nullable SQLException cause, Properties by) throws SQLException {
        if (database.closed()) {
            throw cause == null ? Errors.shutDown() : cause;
        }
        if (database.current(failed)) {
            // From here on nothing of the old epoch commits; what has committed is in the log.
            database.log().<RuntimeException>exclusively(() -> database.epoch(null));
            lost = failed;
        }
        findMaster(cause, by);
    }

    /**
     * The Master; looked for if there is none.
     *
     * @param cause why there is none
     * @param by credentials of who looks
     * @throws SQLException 08006 if there is none still
     */
    synchronized Epoch findMaster(@Nullable SQLException cause, Properties by) throws SQLException {
        Epoch now = database.epochIfAny();
        Epoch before = lost;
        if (now != null) {
            return now;
        }
        if (before == null) {
            throw Errors.noMaster(cause);
        }
        try {
            now = before.master().persistent() ? reopen(before, by) : promote(before);
        } catch (SQLException | RuntimeException e) {
            if (cause != null) {
                e.addSuppressed(cause);
            }
            throw Errors.noMaster(e);
        }
        database.epoch(now);
        lost = null;
        return now;
    }

    /** Runs what is to end the engine: nobody looks for another Master meanwhile, or afterwards. */
    synchronized <T extends @Nullable Object> T shutDown(EmbeddedSession.Work<T> work) throws SQLException {
        try {
            return work.run();
        } finally {
            Epoch now = database.epochIfAny();
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
                    return database.epochOf(master);
                } catch (SQLException | RuntimeException e) {
                    // It has ended as well: the next one.
                    running.engine().close();
                    none.addSuppressed(e);
                } finally {
                    rebuild(satellite, () -> remake(satellite, turn));
                }
            }
        }
        throw none;
    }

    /** An engine may wait until nobody reads any more: whoever reads for longer has to begin anew. */
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

    /** Not as who opened it first, whose password may be another one by now. */
    private Epoch reopen(Epoch failed, Properties by) throws SQLException {
        failed.master().release();
        MasterEngine master = family.open(database.options().engineUrl(), by, true);
        try {
            Epoch epoch = database.epochOf(master);
            resynchronize(epoch, "the master was opened again");
            return epoch;
        } catch (SQLException | RuntimeException e) {
            // It is opened anew with the next attempt.
            master.release();
            throw e;
        }
    }
}
