package io.multimed.jdbc.statement;

import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Executes the texts of one statement, within its query timeout: on the node that the session chooses, and on another one if that
 * node fails before the application has received any result.
 */
final class StatementExecution {
    private final DriverSession session;
    private final LogicalStatement statement;
    private final StatementResults results;
    private int timeoutSeconds;

    /** A new object with each cancellation. */
    private volatile @Nullable Object cancellation;

    StatementExecution(DriverSession session, LogicalStatement statement, StatementResults results) {
        this.session = session;
        this.statement = statement;
        this.results = results;
    }

    void timeout(int seconds) {
        timeoutSeconds = seconds;
    }

    /** Notes that the statement is cancelled. Any thread. */
    void cancelled() {
        cancellation = new Object();
    }

    /** Recognises a text. For null, the engine's own error is thrown. */
    SqlText recognise(@Nullable String sql) throws SQLException {
        if (sql == null) {
            try {
                statement.delegate().execute(null);
            } catch (NullPointerException e) {
                throw Errors.noStatement(e);
            }
            throw Errors.invalid("There is no statement to be executed: the text is null.");
        }
        return session.recognise(sql);
    }

    /** Executes a text. Returns the result of {@code execution}. */
    long run(SqlText text, Execution execution) throws SQLException {
        session.takeTurn();
        try {
            statement.begin();
            return text.kind().isSpecial()
                    ? SpecialExecution.run(statement, text, execution)
                    : ordinary(text, execution);
        } catch (SQLException e) {
            statement.owner.failed(e);
            throw e;
        } finally {
            session.endTurn();
        }
    }

    /** Executes a text that affects only the node on which it runs. */
    long ordinary(SqlText text, Execution execution) throws SQLException {
        boolean masterOnly = statement.masterOnly();
        Object before = cancellation;
        QueryTimeout timeout = QueryTimeout.from(timeoutSeconds);
        while (true) {
            Connection node = session.enter(text, masterOnly, timeout.nanos());
            long result;
            try {
                if (cancellation != before) {
                    // The statement was cancelled while it waited for admission, before the engine received it.
                    throw session.errors().cancelled();
                }
                result = timeout.execute(statement, statement.on(node), text.sql(), execution);
                complete(text, result);
            } catch (SQLException e) {
                DriverSession.AfterFailure after = session.failed(e);
                if (after instanceof DriverSession.Again again) {
                    masterOnly |= again.masterOnly();
                    continue;
                }
                throw ((DriverSession.Thrown) after).error();
            } catch (RuntimeException e) {
                session.failed(e);
                throw e;
            }
            if (session.left()) {
                return result;
            }
        }
    }

    /** Completes a statement that the engine has executed. If this fails, the statement has failed. */
    private void complete(SqlText text, long result) throws SQLException {
        Propagation propagation = session.propagation();
        if (text.kind() == SqlKind.CHANGE && propagation.records()) {
            Statement executed = statement.answering();
            propagation.changes().executed(text, statement.bound(), executed::getUpdateCount);
        } else if (result != 0 && propagation.scrolls() && session.autoCommit()) {
            ReadAhead.read(results.answer() == null ? statement.answering().getResultSet() : results.answer());
        }
    }
}
