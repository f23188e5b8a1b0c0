package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.session.DriverSession.Setting;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** An application's settings on its connection. They are made on the Master and on each node where the session reads. */
final class SessionSettings {
    private final EmbeddedSession runtime;
    private final FollowedSettings followed;
    private final Propagation propagation;
    private final Dialect dialect;
    private boolean readOnly;

    SessionSettings(EmbeddedSession runtime, FollowedSettings followed, Propagation propagation, Dialect dialect) {
        this.runtime = runtime;
        this.followed = followed;
        this.propagation = propagation;
        this.dialect = dialect;
    }

    /** Returns the application's setting, whether or not the engine follows it. */
    boolean readOnly() {
        return readOnly;
    }

    void readOnly(boolean on) throws SQLException {
        // With recorded changes the driver itself refuses them.
        if (!propagation.records()) {
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
            if (dialect != Dialect.DESCRIBED) {
                throw e;
            }
            // Not all engines support read-only connections; the driver itself refuses changes.
        }
    }

    void isolation(int level) throws SQLException {
        if (!propagation.isSerializable()) {
            // Otherwise the level stays SERIALIZABLE, which is at least the requested one.
            runtime.liveMaster().setTransactionIsolation(level);
            followed.isolation(level);
        }
    }

    void schema(String schema) throws SQLException {
        runtime.liveMaster().setSchema(schema);
        followed.add("SCHEMA", node -> node.setSchema(schema));
    }

    /** Notes a statement that has made a setting on the Master. */
    void follow(SqlText text) {
        followed.add(text.name(), text.sql());
    }

    /** Makes a setting that matters only to the application. */
    void set(String name, Setting setting) throws SQLException {
        setting.on(runtime.liveMaster());
        followed.told(name, setting);
    }
}
