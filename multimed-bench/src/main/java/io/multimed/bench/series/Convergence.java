package io.multimed.bench.series;

import io.multimed.bench.client.Query;
import io.multimed.bench.report.Run;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/** Checks whether a Satellite has the same contents as the Master, once it has applied everything. */
public final class Convergence {
    private static final long LOOK_MILLIS = 20;

    private Convergence() {}

    /** @param patience how long the Satellite may take to apply what was committed before this call */
    public static Run.Check check(
            String satellite, List<String> tables, Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        String invariant = satellite + " holds the Master's rows";
        String position = Query.text(master, "SELECT pg_current_wal_flush_lsn()");
        long deadline = System.nanoTime() + patience.toNanos();
        while (Query.text(copy, "SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                .equals("f")) {
            if (System.nanoTime() - deadline > 0) {
                return new Run.Check(
                        invariant,
                        "after " + patience.toSeconds() + " s it is at "
                                + Query.text(copy, "SELECT pg_last_wal_replay_lsn()") + ", the Master at " + position);
            }
            Thread.sleep(LOOK_MILLIS);
        }
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
        return new Run.Check(invariant, wrong.toString());
    }
}
