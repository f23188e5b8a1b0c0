package io.multimed.jdbc.statement;

import io.multimed.jdbc.session.DriverSession;
import java.sql.CallableStatement;
import java.sql.SQLException;

/** A call. Its effects are unknown, so it runs on the Master alone and its parameters stay there. */
final class LogicalCallableStatement extends DelegatingCallableStatement {
    LogicalCallableStatement(DriverSession session, StatementOwner owner, StatementForm form) throws SQLException {
        super(session, owner, form);
    }

    @Override
    CallableStatement delegate() throws SQLException {
        return (CallableStatement) physical();
    }
}
