package io.multimed.jdbc;

import java.sql.CallableStatement;
import java.sql.SQLException;

/** A call. Its effects are unknown, so it runs on the Master alone and its parameters stay there. */
final class LogicalCallableStatement extends DelegatingCallableStatement {
    LogicalCallableStatement(Session session, LogicalConnection connection, StatementForm form) throws SQLException {
        super(session, connection, form);
    }

    @Override
    CallableStatement delegate() throws SQLException {
        return (CallableStatement) physical();
    }
}
