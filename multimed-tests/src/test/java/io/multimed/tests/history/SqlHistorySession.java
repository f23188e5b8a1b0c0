package io.multimed.tests.history;

import java.sql.Connection;

/** A session over JDBC whose transactions begin and end by statements of the application. */
class SqlHistorySession extends JdbcHistorySession {
    SqlHistorySession(Connection connection, Route route) {
        super(connection, route);
    }

    @Override
    public void begin(Kind kind) throws Failed {
        executeTogether(
                "SET TRANSACTION ISOLATION LEVEL " + (kind.repeatableRead ? "REPEATABLE READ" : "READ COMMITTED"));
        executeTogether(kind.readOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION");
    }

    @Override
    public void commit() throws Failed {
        executeTogether("COMMIT");
    }

    @Override
    public void rollback() throws Failed {
        executeTogether("ROLLBACK");
    }
}
