package io.multimed.jdbc.session;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of changes that a transaction had made when each of its savepoints was set. Several savepoints may have the same
 * name. Engines then use the latest one, whichever object they receive.
 */
public final class Savepoints {
    private record Point(String name, int size) {}

    private final List<Point> points = new ArrayList<>();

    public void set(Savepoint savepoint, int size) throws SQLException {
        points.add(new Point(name(savepoint), size));
    }

    /** Returns the number of changes at that savepoint, and drops later savepoints. */
    public int rolledBackTo(Savepoint savepoint) throws SQLException {
        int at = latest(savepoint);
        points.subList(at + 1, points.size()).clear();
        return at < 0 ? 0 : points.get(at).size();
    }

    public void released(Savepoint savepoint) throws SQLException {
        int at = latest(savepoint);
        if (at >= 0) {
            points.subList(at, points.size()).clear();
        }
    }

    /** Drops all savepoints, because the transaction has ended. */
    public void clear() {
        points.clear();
    }

    private int latest(Savepoint savepoint) throws SQLException {
        String name = name(savepoint);
        int at = points.size() - 1;
        while (at >= 0 && !points.get(at).name().equals(name)) {
            at--;
        }
        return at;
    }

    private static String name(Savepoint savepoint) throws SQLException {
        try {
            return "name " + savepoint.getSavepointName();
        } catch (SQLException e) {
            // The savepoint has no name.
            return "number " + savepoint.getSavepointId();
        }
    }
}
