package io.multimed.server.satellite;

import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.tasks.HeardTask;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.VisibilityProbe;
import io.multimed.engine.postgresql.comparison.ComparedTable;
import io.multimed.engine.postgresql.comparison.PartComparison;
import io.multimed.server.master.MasterConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the full Satellites with the Master, some blocks of a table at a time, over and over. A Satellite that differs is copied anew.
 *
 * <p>Satellites replay the Master's log, so they cannot differ but for a fault of memory, of a disk or of a program. Has a thread of its own.
 * It takes a share of one core at most: it rests in proportion to the time that a look has taken. It opens connections for each look, so that
 * it keeps no database from being dropped.
 */
public final class SatelliteComparison implements AutoCloseable {
    /** Opens connections to a Satellite as the superuser; blocks until it answers. */
    @FunctionalInterface
    public interface SatelliteConnections {
        Connection open(NodeAddress satellite, String database) throws SQLException;
    }

    private static final Logger log = LoggerFactory.getLogger(SatelliteComparison.class);

    private static final Duration SHORTEST_REST = Duration.ofMillis(20);
    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(2);
    /** Time after which an engine that does not answer is given up. */
    private static final Duration ANSWER = Duration.ofSeconds(3);
    /** Time for the Master to show what a Satellite has shown. */
    private static final Duration VISIBLE = Duration.ofSeconds(1);

    private static final int WHOLE = 100;

    // Classes of SQLSTATEs:
    private static final String LOST = "08";
    private static final String CORRUPTED = "XX";

    private final int percent;
    private final MasterConnections master;
    private final SatelliteConnections satellites;
    private final Supplier<List<SatelliteUnit>> units;
    private final MasterVisibility visibility;
    private final VisibilityProbe probe;
    private final LongAdder rows = new LongAdder();
    private final LongAdder differences = new LongAdder();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("multimed-comparison").daemon().unstarted(this::run);

    // Accessed by the thread alone:
    private final ComparisonRound round = new ComparisonRound();
    private boolean isRoundOver;

    /**
     * @param percent of a core; 0 for no comparison
     * @param visibility the commits that the Master is known to show
     * @param probe asks the Master for them
     */
    public SatelliteComparison(
            int percent,
            MasterConnections master,
            SatelliteConnections satellites,
            Supplier<List<SatelliteUnit>> units,
            MasterVisibility visibility,
            VisibilityProbe probe) {
        this.percent = percent;
        this.master = master;
        this.satellites = satellites;
        this.units = units;
        this.visibility = visibility;
        this.probe = probe;
    }

    public void start() {
        if (percent > 0) {
            thread.start();
        }
    }

    /**
     * Numbers of this run.
     *
     * @param rows of Satellites that have been compared, counted each time that they were
     * @param differences number of times that a Satellite was found to differ
     */
    public record Counts(long rows, long differences) {}

    /** Any thread. */
    public Counts counts() {
        return new Counts(rows.sum(), differences.sum());
    }

    private void run() {
        try {
            long rest;
            do {
                isRoundOver = false;
                long begin = System.nanoTime();
                new HeardTask(this::look, e -> log.error("Comparing Satellites with the Master failed", e)).run();
                long taken = System.nanoTime() - begin;
                long least = isRoundOver ? BETWEEN_ROUNDS.toNanos() : SHORTEST_REST.toNanos();
                rest = Math.max(least, taken * (WHOLE - percent) / percent);
            } while (!closed.await(rest, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            // Only close ends this thread.
            log.debug("Interrupted");
        }
    }

    private void look() {
        List<SatelliteUnit> serving = units.get().stream()
                .filter(unit -> unit.carries().get().isEmpty() && unit.node().serving())
                .toList();
        try {
            if (serving.isEmpty()) {
                isRoundOver = true;
            } else {
                ComparedTable table = round.table();
                if (table != null) {
                    compare(table, serving);
                } else {
                    nextDatabase();
                }
            }
        } catch (SQLException e) {
            log.debug("A part is not compared: {}", e.getMessage());
            passOver(String.valueOf(e.getSQLState()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes on behind what cannot be compared, or with fewer blocks. */
    private void passOver(String state, SQLException cause) {
        if (state.startsWith(LOST)) {
            // An engine has gone, or has no connection to spare. It is asked again.
            isRoundOver = true;
            return;
        }
        if (state.startsWith(CORRUPTED) && round.isOneBlock()) {
            log.warn(
                    "Block {} in database {} cannot be read on the Master: {}",
                    round.block(),
                    round.database(),
                    cause.getMessage());
        }
        round.passOver(state);
    }

    private void nextDatabase() throws SQLException {
        String database = round.nextDatabase();
        if (database == null) {
            isRoundOver = true;
            try (Connection connection = opened(master.open("postgres"))) {
                round.begin(ComparedTable.databases(connection));
            }
            return;
        }
        try (Connection connection = opened(master.open(database))) {
            round.found(ComparedTable.of(connection));
        }
    }

    private void compare(ComparedTable table, List<SatelliteUnit> serving) throws SQLException, InterruptedException {
        String database = round.database();
        long longest = 0;
        for (SatelliteUnit unit : serving) {
            // A frozen Satellite does not answer, and the Master's database must not seem to be in use meanwhile.
            try (Connection ofSatellite =
                            opened(satellites.open(unit.engine().get().address(), database));
                    Connection ofMaster = opened(master.open(database))) {
                PartComparison comparison = new PartComparison(ofMaster, ofSatellite, this::masterShows);
                long begin = System.nanoTime();
                PartComparison.Result result = comparison.compare(table, round.block(), round.end());
                longest = Math.max(longest, System.nanoTime() - begin);
                rows.add(result.rows());
                if (!result.difference().isEmpty()) {
                    differences.increment();
                    unit.supervisor().differs(result.difference() + ", database " + database);
                }
            }
        }
        round.compared(longest);
    }

    private static Connection opened(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) ANSWER.toMillis());
        return connection;
    }

    /** Waits until the Master shows every commit up to {@code scn}, which a Satellite shows. */
    private boolean masterShows(long scn) throws InterruptedException {
        long deadline = System.nanoTime() + VISIBLE.toNanos();
        while (!visibility.masterShows(scn)) {
            CountDownLatch asked = new CountDownLatch(1);
            probe.accept(asked::countDown);
            long left = deadline - System.nanoTime();
            if (closed.getCount() == 0 || left <= 0 || !asked.await(left, TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /** Ends the thread, which may finish its present look. */
    @Override
    public void close() {
        closed.countDown();
    }
}
