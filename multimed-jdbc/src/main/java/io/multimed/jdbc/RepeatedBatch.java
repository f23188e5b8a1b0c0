package io.multimed.jdbc;

import io.multimed.jdbc.sql.SqlText;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** The batch of a prepared statement, element by element within one transaction. */
final class RepeatedBatch {
    private RepeatedBatch() {}

    static int[] execute(Session session, SqlText text, List<Parameters> elements, PreparedStatement on)
            throws SQLException {
        int[] counts = new int[elements.size()];
        int done = 0;
        session.enter(text, true);
        try {
            for (Parameters element : elements) {
                element.replay(on);
                counts[done] = on.executeUpdate();
                session.executed(text, element, counts[done]);
                done++;
            }
        } catch (SQLException e) {
            SQLException thrown = session.failed(e) instanceof Session.Thrown failure ? failure.error() : e;
            throw new BatchUpdateException(
                    thrown.getMessage(),
                    thrown.getSQLState(),
                    thrown.getErrorCode(),
                    Arrays.copyOf(counts, done),
                    thrown);
        }
        session.leave();
        return counts;
    }
}
