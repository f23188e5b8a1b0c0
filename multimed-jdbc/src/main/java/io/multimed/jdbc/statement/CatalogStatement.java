package io.multimed.jdbc.statement;

import io.multimed.jdbc.session.DriverSession;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Replaces the engine's statement behind the result of a catalog query. The engine's own would give access to the engine's
 * connection.
 */
final class CatalogStatement extends LogicalStatement {
    private final ResultSet rows;

    CatalogStatement(DriverSession session, StatementOwner owner, ResultSet rows) {
        super(session, owner, StatementForm.of(StatementForm.Kind.PLAIN, ""));
        this.rows = rows;
    }

    @Override
    public void close() throws SQLException {
        rows.close();
        super.close();
    }
}
