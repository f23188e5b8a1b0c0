package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.sql.Dialect;
import java.sql.SQLException;

/** An application's settings on its connection. They are made on the Master and on each node where the session reads. */
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

    /** Returns the application's setting, whether or not the engine follows it. */
    boolean readOnly() {
        return readOnly;
    }

    void readOnly(boolean on) throws SQLException {
        if (runtime.recorder() == null) {
            // The engine may refuse in the middle of a transaction. If it accepts, it guards the Master.
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
            // Not all engines support read-only connections; the driver itself refuses changes.
        }
    }

    void isolation(int level) throws SQLException {
        if (runtime.recorder() == null) {
            // Otherwise the level stays SERIALIZABLE, which is at least the requested one.
            runtime.liveMaster().setTransactionIsolation(level);
            followed.isolation(level);
        }
    }

    void schema(String schema) throws SQLException {
        runtime.liveMaster().setSchema(schema);
        followed.add("SCHEMA", node -> node.setSchema(schema));
    }
}
