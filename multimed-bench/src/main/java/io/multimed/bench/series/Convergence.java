package io.multimed.bench.series;

import io.multimed.bench.client.Query;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/** Checks whether a Satellite has the same contents as the Master, once it has applied everything. */
public final class Convergence {
    private static final long LOOK_MILLIS = 20;

    private Convergence() {}

    /** Checks the tables that the Satellite carries; see the other method. */
    static Run.Check check(Node satellite, List<String> tables, Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        if (!satellite.partial()) {
            return check(satellite.name(), tables, master, copy, patience);
        }
        // It replays no log, so it has no position of its own to ask for.
        long deadline = System.nanoTime() + patience.toNanos();
        String wrong = differences(satellite.tables(), master, copy);
        while (!wrong.isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MILLIS);
            wrong = differences(satellite.tables(), master, copy);
        }
        return new Run.Check(invariant(satellite.name()), wrong);
    }

    private static String invariant(String satellite) {
        return satellite + " holds the Master's rows";
    }

    /** @param patience how long the Satellite may take to apply what was committed before this call */
    public static Run.Check check(
            String satellite, List<String> tables, Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        String position = Query.text(master, "SELECT pg_current_wal_flush_lsn()");
        long deadline = System.nanoTime() + patience.toNanos();
        while (Query.text(copy, "SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                .equals("f")) {
            if (System.nanoTime() - deadline > 0) {
                return new Run.Check(
                        invariant(satellite),
                        "after " + patience.toSeconds() + " s it is at "
                                + Query.text(copy, "SELECT pg_last_wal_replay_lsn()") + ", the Master at " + position);
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return new Run.Check(invariant(satellite), differences(tables, master, copy));
    }

    private static String differences(List<String> tables, Connection master, Connection copy) throws SQLException {
        StringJoiner wrong = new StringJoiner("; ");
        for (String table : tables) {
            String sum = "SELECT COUNT(*) || ' rows, sum ' || COALESCE(SUM(hashtextextended(t::text, 0)), 0) FROM "
                    + table + " t";
            String there = Query.text(master, sum);
            String here = Query.text(copy, sum);
            if (!here.equals(there)) {
                wrong.add(table + ": " + here + ", the Master " + there);
            }
        }
        return wrong.toString();
    }
}
