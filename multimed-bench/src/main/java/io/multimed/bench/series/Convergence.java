package io.multimed.bench.series;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/** Checks whether a Satellite has the same contents as the Master, once it has applied everything. */
public final class Convergence {
    private static final long LOOK_MILLIS = 20;

    private Convergence() {}

    /** @param patience how long the Satellite may take to apply what was committed before this call */
    public static InvariantCheck check(
            String satellite, List<String> tables, Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        String invariant = satellite + " holds the Master's rows";
        String position = text(master, "SELECT pg_current_wal_flush_lsn()");
        long deadline = System.nanoTime() + patience.toNanos();
        while (text(copy, "SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                .equals("f")) {
            if (System.nanoTime() - deadline > 0) {
                return new InvariantCheck(
                        invariant,
                        "after " + patience.toSeconds() + " s it is at " + text(copy, "SELECT pg_last_wal_replay_lsn()")
                                + ", the Master at " + position);
            }
            Thread.sleep(LOOK_MILLIS);
        }
        StringJoiner wrong = new StringJoiner("; ");
        for (String table : tables) {
            String sum = "SELECT COUNT(*) || ' rows, sum ' || COALESCE(SUM(hashtextextended(t::text, 0)), 0) FROM "
                    + table + " t";
            String there = text(master, sum);
            String here = text(copy, sum);
            if (!here.equals(there)) {
                wrong.add(table + ": " + here + ", the Master " + there);
            }
        }
        return new InvariantCheck(invariant, wrong.toString());
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
