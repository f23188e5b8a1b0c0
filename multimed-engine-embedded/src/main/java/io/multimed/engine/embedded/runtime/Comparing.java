package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.WriteSetFeed;
import io.multimed.engine.embedded.ComparisonStatus;
import io.multimed.engine.embedded.spi.Comparison;
import io.multimed.engine.embedded.spi.Comparison.Part;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Compares the Satellites' contents with the Master's continuously, in a thread of its own that takes a given share of a core.
 *
 * <p>A part of a table is read on both sides at one SCN, in some microseconds, and compared afterwards. A Satellite that differs
 * is taken out and rebuilt from the Master. A difference counts only if it is found twice. While the log lacks a commit that
 * bypassed the runtime, which is no fault of a Satellite, nothing is compared.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes the counters; others read them.
final class Comparing {
    private static final int PERCENT = 100;
    /** Shortest pause between two parts. */
    private static final long PART_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Shortest pause between two passes over all Satellites, if the comparison may take one percent. */
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Longest wait for update transactions to end, if the Master must be read without any. New ones wait as long. */
    private static final long GATE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Number of failures of a part after which its table is skipped. */
    private static final int MOST_FAILURES = 3;

    private static final System.Logger LOG = System.getLogger("io.multimed.engine.embedded");

    private final ReplicatedDatabase database;
    private final int percent;
    private volatile @Nullable Thread thread;
    private volatile long rows;
    private volatile long passes;
    private volatile long differences;
    /** Index of the Satellite whose turn it is. */
    private int turn;

    private @Nullable Pass pass;
    private boolean suspected;
    private int failures;

    /**
     * Makes the comparison.
     *
     * @param percent share of a core that it may take
     */
    Comparing(ReplicatedDatabase database, int percent) {
        this.database = database;
        this.percent = percent;
    }

    /** One pass over the tables of one Satellite. */
    private record Pass(Epoch epoch, Satellite satellite, Satellite.Running running, Comparison comparison) {}

    void start() {
        if (percent > 0 && !database.satellites().isEmpty()) {
            Thread started = new Thread(this::run, "multimed-comparison-" + database.name());
            started.setDaemon(true);
            thread = started;
            started.start();
        }
    }

    /** Wakes the thread, which ends because the database has ended. */
    void wake() {
        LockSupport.unpark(thread);
    }

    ComparisonStatus status() {
        return new ComparisonStatus(rows, passes, differences);
    }

    private void run() {
        while (!database.closed()) {
            long begun = System.nanoTime();
            long pause = PART_NANOS;
            try {
                pause = step();
                failures = 0;
            } catch (SQLException | RuntimeException e) {
                failed(e);
            }
            long used = System.nanoTime() - begun;
            pause = Math.max(pause, used * (PERCENT - percent) / percent);
            if (!database.closed()) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    /**
     * Handles a failure to compare a part. It is no difference: an engine that ends releases its parts, and a dropped table loses
     * its rows.
     */
    private void failed(Exception e) {
        LOG.log(System.Logger.Level.DEBUG, "a part was not compared", e);
        Pass of = pass;
        if (of != null && ++failures >= MOST_FAILURES) {
            of.comparison.skip();
            failures = 0;
        }
    }

    /**
     * Compares the next part.
     *
     * @return the shortest pause before the next step, in nanoseconds
     */
    @SuppressWarnings("ReferenceEquality") // The very epoch and engine with which the pass began.
    private long step() throws SQLException {
        Epoch now = database.masters().epochIfAny();
        if (now == null) {
            return ROUND_NANOS;
        }
        Pass of = pass;
        if (of == null || of.epoch != now || of.satellite.running() != of.running || !of.running.usable()) {
            of = begin(now);
            pass = of;
            suspected = false;
            return of == null ? ROUND_NANOS / percent : PART_NANOS;
        }
        if (of.comparison.done()) {
            passes = passes + 1;
            pass = null;
            turn++;
            return turn % database.satellites().size() == 0 ? ROUND_NANOS / percent : PART_NANOS;
        }
        compare(of);
        return PART_NANOS;
    }

    private @Nullable Pass begin(Epoch now) {
        List<Satellite> satellites = database.satellites();
        for (int i = 0; i < satellites.size(); i++) {
            Satellite satellite = satellites.get(Math.floorMod(turn, satellites.size()));
            Satellite.Running running = satellite.running();
            if (running != null && running.usable()) {
                Comparison comparison = now.master().comparison(running.engine());
                return comparison == null ? null : new Pass(now, satellite, running, comparison);
            }
            turn++;
        }
        return null;
    }

    private void compare(Pass of) throws SQLException {
        Look look = new Look(of);
        try {
            if (!of.running.feed().inStep(look, look::atSatellite)) {
                return;
            }
            Part part = look.part();
            String where = part.difference();
            rows = rows + part.rows();
            if (where == null) {
                of.comparison.passed();
                suspected = false;
            } else if (!suspected) {
                suspected = true;
            } else {
                suspected = false;
                differs(of, where);
            }
        } finally {
            look.close();
        }
    }

    private void differs(Pass of, String where) throws SQLException {
        if (of.satellite.differs(of.running, where)) {
            differences = differences + 1;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The replica " + of.satellite.node().id().name() + " of " + database.name()
                            + " differs from the master and is made anew: " + where + ".");
        }
        pass = null;
    }

    /** A look at the same part on the Master and then on a Satellite. */
    private final class Look implements WriteSetFeed.MasterLook<SQLException> {
        private final Pass of;
        private @Nullable Part part;

        Look(Pass of) {
            this.of = of;
        }

        @Override
        public long run() {
            boolean alone = of.comparison.alone();
            if (alone && !Definitions.shut(of.epoch, GATE_NANOS)) {
                return -1;
            }
            try {
                return database.log().<Long, RuntimeException>quiesced(this::atMaster);
            } finally {
                if (alone) {
                    of.epoch.gate().open();
                }
            }
        }

        private long atMaster() {
            MasterEngine master = of.epoch.master();
            if (!database.masters().isCurrent(of.epoch) || master.ended()) {
                return -1;
            }
            part = of.comparison.part();
            // Checked after the look: a change that had shown by then has no place in the log yet and cannot get one
            // meanwhile.
            return part == null || database.definitions().underWay() != null || master.unsettled()
                    ? -1
                    : database.log().floor();
        }

        void atSatellite() {
            part().lookAtSatellite();
        }

        Part part() {
            if (part == null) {
                throw new IllegalStateException("nothing was looked at");
            }
            return part;
        }

        void close() {
            if (part != null) {
                part.close();
            }
        }
    }
}
