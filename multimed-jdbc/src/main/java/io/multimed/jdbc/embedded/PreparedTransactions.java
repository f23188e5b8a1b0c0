package io.multimed.jdbc.embedded;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.session.DriverSession.Thrown;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Two-phase commit in H2: prepares the session's transaction, and finds and completes those that ended sessions have prepared. */
final class PreparedTransactions {
    private final DriverSession session;
    /** Whether the Master has Satellites. */
    private final boolean replicated;

    PreparedTransactions(DriverSession session, boolean replicated) {
        this.session = session;
        this.replicated = replicated;
    }

    void prepare(String name) throws SQLException {
        onMaster("PREPARE COMMIT " + quoted(name));
    }

    /** Returns the names of prepared transactions, of all sessions. */
    List<String> names() throws SQLException {
        List<String> names = new ArrayList<>();
        Connection master = session.enter(SqlText.CALL, true);
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery("SELECT TRANSACTION_NAME FROM INFORMATION_SCHEMA.IN_DOUBT")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw session.failed(e) instanceof Thrown thrown ? thrown.error() : e;
        }
        session.leave();
        return names;
    }

    /** Completes a transaction that another session has prepared. */
    void complete(String name, boolean commit) throws SQLException {
        if (commit && replicated) {
            // The session that could report the rows of the transaction has ended.
            throw Errors.notSupported(
                    "The transaction " + name + " was prepared by a session that has gone, and its rows"
                            + " would not reach replicas: commit it with replicas=1, or with the engine alone.");
        }
        onMaster((commit ? "COMMIT TRANSACTION " : "ROLLBACK TRANSACTION ") + quoted(name));
    }

    private void onMaster(String sql) throws SQLException {
        Connection master = session.enter(SqlText.CALL, true);
        try (Statement statement = master.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw session.failed(e) instanceof Thrown thrown ? thrown.error() : e;
        }
        session.leave();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
