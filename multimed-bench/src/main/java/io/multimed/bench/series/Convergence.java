package io.multimed.bench.series;

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

    /**
     * Checks the tables that the Satellite carries.
     *
     * @param tables all
     * @param patience how long the Satellite may take to apply what was committed before this call
     */
    public static Run.Check check(
            Node satellite, List<String> tables, Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        if (!satellite.partial()) {
            String behind = satellite.awaitApplied(master, copy, patience);
            return new Run.Check(
                    invariant(satellite.name()),
                    behind.isEmpty() ? differences(satellite, tables, master, copy) : behind);
        }
        // It may have no position of its own to ask for.
        long deadline = System.nanoTime() + patience.toNanos();
        String wrong = differences(satellite, satellite.tables(), master, copy);
        while (!wrong.isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MILLIS);
            wrong = differences(satellite, satellite.tables(), master, copy);
        }
        return new Run.Check(invariant(satellite.name()), wrong);
    }

    private static String invariant(String satellite) {
        return satellite + " holds the Master's rows";
    }

    private static String differences(Node satellite, List<String> tables, Connection master, Connection copy)
            throws SQLException {
        StringJoiner wrong = new StringJoiner("; ");
        for (String table : tables) {
            String there = satellite.contents(master, table);
            String here = satellite.contents(copy, table);
            if (!here.equals(there)) {
                wrong.add(table + ": " + here + ", the Master " + there);
            }
        }
        return wrong.toString();
    }
}
