package io.multimed.jdbc.conformance;

import java.sql.BatchUpdateException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The results of a scenario, for comparison with its results on another connection. */
final class Log {
    /** A step that may fail; a failure is a result too. */
    @FunctionalInterface
    interface Step {
        Object run() throws Exception;
    }

    private final List<String> lines = new ArrayList<>();

    void add(String what, Object seen) {
        lines.add(what + ": " + shown(seen));
    }

    void step(String what, Step step) {
        try {
            add(what, step.run());
        } catch (BatchUpdateException e) {
            add(what, "batch failed " + e.getSQLState() + " " + Arrays.toString(e.getUpdateCounts()));
        } catch (SQLException e) {
            add(what, "failed " + e.getSQLState() + " " + e.getErrorCode());
        } catch (Exception e) {
            add(what, "failed " + e.getClass().getName());
        }
    }

    private static String shown(Object seen) {
        if (seen instanceof int[] counts) {
            return Arrays.toString(counts);
        }
        if (seen instanceof long[] counts) {
            return Arrays.toString(counts);
        }
        return seen instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(seen);
    }

    /** Returns all rows from the present position on, and closes the result set. */
    static String rows(ResultSet result) throws SQLException {
        StringBuilder rows = new StringBuilder();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            for (int i = 1; i <= columns; i++) {
                rows.append(i == 1 ? "[" : ", ").append(result.getString(i));
            }
            rows.append(']');
        }
        result.close();
        return rows.toString();
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
