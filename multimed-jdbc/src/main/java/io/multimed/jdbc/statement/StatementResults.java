package io.multimed.jdbc.statement;

import io.multimed.jdbc.session.DriverSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The results of a statement's last execution: the engine's, or those of a statement that no engine has executed. */
final class StatementResults {
    private static final int NONE = -1;
    private static final int EXHAUSTED = -2;

    private final DriverSession session;
    private final LogicalStatement statement;
    /** The rows of a query that the application has not received yet. */
    private @Nullable ResultSet answer;
    /** The rows that the application received last. */
    private @Nullable LogicalResultSet open;
    /** The update count of a statement that no engine has executed, otherwise {@link #NONE}. */
    private int ownCount = NONE;

    StatementResults(DriverSession session, LogicalStatement statement) {
        this.session = session;
        this.statement = statement;
    }

    /** Drops the results, because the statement is executed again. */
    void drop() {
        ownCount = NONE;
        answer = null;
    }

    /** Keeps the rows of a query. Returns 1, the result of its {@link Execution}. */
    long answer(ResultSet result) {
        answer = result;
        return 1;
    }

    /** Returns the rows of a query; null if the application asks for them later. */
    @Nullable
    ResultSet answer() {
        return answer;
    }

    ResultSet takeAnswer() throws SQLException {
        ResultSet result = answer;
        answer = null;
        if (result == null) {
            throw session.errors().noQuery();
        }
        return wrapped(result);
    }

    ResultSet wrapped(ResultSet result) {
        LogicalResultSet known = open;
        if (known == null || known.delegate() != result) {
            known = new LogicalResultSet(session, statement, result);
            open = known;
        }
        return known;
    }

    /** Closes the rows that the application has. */
    void close() throws SQLException {
        LogicalResultSet known = open;
        open = null;
        if (known != null) {
            known.close();
        }
    }

    /** Forgets the rows that the application has, because the engine closes them with the statement. */
    void forget() {
        open = null;
    }

    /** Sets the result of a statement that no engine has executed: no rows, none changed. Returns 0. */
    long unseen() throws SQLException {
        close();
        ownCount = 0;
        return 0;
    }

    /** Whether no engine has executed the statement. */
    boolean areOwn() {
        return ownCount != NONE;
    }

    int ownCount() {
        return ownCount == EXHAUSTED ? NONE : ownCount;
    }

    /** Notes that the application has asked for more than the one result of a statement that no engine has executed. */
    void exhaust() {
        ownCount = EXHAUSTED;
    }
}
