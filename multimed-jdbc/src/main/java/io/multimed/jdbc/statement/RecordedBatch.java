package io.multimed.jdbc.statement;

import io.multimed.engine.embedded.TransactionErrors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlText;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** Executes the batch of a prepared change element by element, within one transaction, since each is recorded by itself. */
final class RecordedBatch {
    private RecordedBatch() {}

    static int[] execute(LogicalStatement statement, SqlText text, List<Parameters> elements) throws SQLException {
        return statement.session.inTurn(() -> inTurn(statement, text, elements));
    }

    private static int[] inTurn(LogicalStatement statement, SqlText text, List<Parameters> elements)
            throws SQLException {
        DriverSession session = statement.session;
        int[] counts = new int[elements.size()];
        int done = 0;
        statement.begin();
        Connection node = session.enter(text, true);
        try {
            PreparedStatement on = (PreparedStatement) statement.on(node);
            for (Parameters element : elements) {
                element.replay(on);
                int count = on.executeUpdate();
                counts[done] = count;
                session.propagation().changes().executed(text, element::replay, () -> count);
                done++;
            }
        } catch (SQLException e) {
            boolean joined = session.joinsBatches();
            SQLException thrown = failed(session, e);
            // For the application each element is a transaction of its own, so undone elements must not be reported as
            // executed.
            boolean undone = joined && TransactionErrors.rollback(thrown) != null;
            throw new BatchUpdateException(
                    thrown.getMessage(),
                    thrown.getSQLState(),
                    thrown.getErrorCode(),
                    Arrays.copyOf(counts, undone ? 0 : done),
                    thrown);
        } catch (RuntimeException e) {
            session.failed(e);
            throw e;
        }
        session.leave();
        return counts;
    }

    private static SQLException failed(DriverSession session, SQLException error) {
        try {
            return session.failed(error) instanceof DriverSession.Thrown failure ? failure.error() : error;
        } catch (SQLException undone) {
            undone.addSuppressed(error);
            return undone;
        }
    }
}
