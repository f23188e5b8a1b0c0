package io.multimed.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Replaces the engine's statement behind the result of a catalog query. The engine's own would give access to the engine's
 * connection.
 */
final class CatalogStatement extends LogicalStatement {
    private final ResultSet rows;

    CatalogStatement(Session session, LogicalConnection connection, ResultSet rows) {
        super(session, connection, StatementForm.of(StatementForm.Kind.PLAIN, ""));
        this.rows = rows;
    }

    @Override
    public void close() throws SQLException {
        rows.close();
        super.close();
    }
}
