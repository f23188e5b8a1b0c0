package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.sql.Dialect;
import java.sql.SQLException;

/** What an application sets on its connection: made on the Master, and wherever the session reads. */
final class SessionSettings {
    private final EmbeddedSession runtime;
    private final FollowedSettings followed;
    private final Dialect dialect;
    private boolean readOnly;

    SessionSettings(EmbeddedSession runtime, FollowedSettings followed, Dialect dialect) {
        this.runtime = runtime;
        this.followed = followed;
        this.dialect = dialect;
    }

    /** As the application has set it, whatever the engine makes of that. */
    boolean readOnly() {
        return readOnly;
    }

    void readOnly(boolean on) throws SQLException {
        if (runtime.recorder() == null) {
            // The engine may object in the middle of a transaction, and guards the Master then.
            tell(on);
            followed.readOnly(on);
        }
        readOnly = on;
    }

    private void tell(boolean on) throws SQLException {
        try {
            runtime.liveMaster().setReadOnly(on);
        } catch (SQLException e) {
            if (dialect != Dialect.STATEMENTS) {
                throw e;
            }
            // Not all engines know such connections; the driver itself refuses changes.
        }
    }

    void isolation(int level) throws SQLException {
        if (runtime.recorder() == null) {
            // Else it stays serializable, which is at least what was asked for.
            runtime.liveMaster().setTransactionIsolation(level);
            followed.isolation(level);
        }
    }

    void schema(String schema) throws SQLException {
        runtime.liveMaster().setSchema(schema);
        followed.add("SCHEMA", node -> node.setSchema(schema));
    }
}
