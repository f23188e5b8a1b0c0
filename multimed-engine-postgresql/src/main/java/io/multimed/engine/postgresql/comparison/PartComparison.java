package io.multimed.engine.postgresql.comparison;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Compares parts of tables of one Satellite with the Master's, while both are in use.
 *
 * <p>The Master is read, then the Satellite once it has applied all that the Master showed, then the Master once it shows all that the
 * Satellite did. So nobody waits for a comparison, and {@link RowVersions#wrong} needs no moment without commits. Used by one thread.
 */
public final class PartComparison {
    /** Waits until the Master shows every commit at or below an SCN. */
    @FunctionalInterface
    public interface MasterShows {
        /** @return false if that takes too long */
        boolean await(long scn) throws InterruptedException;
    }

    /** Time that a Satellite may be behind. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);
    /** Number of times that a difference is found before it is believed. A definition that changes meanwhile may look like one. */
    private static final int LOOKS = 3;

    /** Class of errors that say that data is corrupted. */
    private static final String CORRUPTED = "XX00";

    private final PartReader master;
    private final PartReader satellite;
    private final MasterShows masterShows;

    /** @param masterShows asked with what the Satellite has shown */
    public PartComparison(Connection master, Connection satellite, MasterShows masterShows) throws SQLException {
        this.master = PartReader.ofMaster(master);
        this.satellite = PartReader.ofSatellite(satellite);
        this.masterShows = masterShows;
    }

    /**
     * The result of a comparison.
     *
     * @param rows number of the Satellite's rows that were compared
     * @param difference what differs, in one sentence without a full stop; empty if nothing does
     */
    public record Result(int rows, String difference) {}

    /**
     * Compares the rows in the blocks {@code from} to {@code to}, without the last.
     *
     * @throws SQLException if either engine does not answer, or the table has gone
     */
    public Result compare(ComparedTable table, long from, long to) throws SQLException, InterruptedException {
        Result result = new Result(0, "");
        for (int look = 0; look < LOOKS; look++) {
            result = look(table, from, to);
            if (result.difference().isEmpty()) {
                break;
            }
        }
        return result;
    }

    private Result look(ComparedTable table, long from, long to) throws SQLException, InterruptedException {
        RowVersions before = master.read(table, from, to);
        if (!isApplied(master.position())) {
            return new Result(0, "");
        }
        RowVersions shown;
        try {
            shown = satellite.read(table, from, to);
        } catch (SQLException e) {
            if (isCorrupted(e)) {
                return new Result(0, "it cannot read " + part(table, from, to) + ": " + e.getMessage());
            }
            throw e;
        }
        if (!masterShows.await(satellite.position())) {
            return new Result(0, "");
        }
        List<RowVersions.Version> wrong = RowVersions.wrong(before, shown, master.read(table, from, to));
        return new Result(
                shown.digests().size(),
                wrong.isEmpty()
                        ? ""
                        : wrong.size() + " rows differ from the Master's in " + part(table, from, to) + ", one at "
                                + wrong.get(0).place());
    }

    private static boolean isCorrupted(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.startsWith(CORRUPTED) && !state.equals("XX000");
    }

    private static String part(ComparedTable table, long from, long to) {
        return "blocks " + from + " to " + (to - 1) + " of " + table.name();
    }

    private boolean isApplied(long position) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + BEHIND.toNanos();
        while (satellite.position() < position) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Thread.sleep(BETWEEN_LOOKS.toMillis());
        }
        return true;
    }
}
