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
 * Compares the Satellites' contents with the Master's, over and over, in a thread of its own that takes a given part of a core.
 *
 * <p>A part of a table is looked at on both sides at one SCN, for some microseconds, and compared afterwards. A Satellite that differs
 * is taken out and made anew from the Master. A part that differs is looked at twice before that counts. While something
 * was committed behind the runtime's back, which is no fault of a Satellite, nothing is compared.
 */
final class Comparing {
    private static final int PERCENT = 100;
    /** Between two parts at least. */
    private static final long PART_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Between two passes over all Satellites at least, if it may take one percent. */
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long update transactions are waited for, and kept waiting, where a Master is looked at without any. */
    private static final long GATE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** How often a part may fail before its table is passed over. */
    private static final int MOST_FAILURES = 3;

    private static final System.Logger LOG = System.getLogger("io.multimed.engine.embedded");

    private final ReplicatedDatabase database;
    private final int percent;
    private volatile @Nullable Thread thread;
    private volatile long rows;
    private volatile long passes;
    private volatile long differences;
    /** Whose turn it is among the Satellites. */
    private int turn;

    private @Nullable Pass pass;
    private boolean suspected;
    private int failures;

    /** @param percent of a core that it may take */
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

    /** The database has ended, and this with it. */
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

    /** An engine that ends lets go of its parts; a table that is dropped takes its rows with it. */
    private void failed(Exception e) {
        LOG.log(System.Logger.Level.DEBUG, "a part was not compared", e);
        Pass of = pass;
        if (of != null && ++failures >= MOST_FAILURES) {
            of.comparison.skip();
            failures = 0;
        }
    }

    /** @return how long to wait at least */
    private long step() throws SQLException {
        Epoch now = database.epochIfAny();
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

    /** At the Master and then at a Satellite. */
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
            if (!database.current(of.epoch) || master.ended()) {
                return -1;
            }
            part = of.comparison.part();
            // Asked afterwards: a change that has shown by then has yet to get its place in the log, which is not
            // possible meanwhile.
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
