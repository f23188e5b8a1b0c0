package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.spi.MasterSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A session's connection to the present Master. It is replaced after the Master has failed. */
final class MasterLink {
    private final ReplicatedDatabase database;
    private final Properties credentials;
    private final ReplicaListener listener;
    /** Schema in which the session began; null if the engine has no schemas. */
    private final @Nullable String schema;

    private Epoch epoch;
    private volatile MasterSession session;
    /** The error with which a new Master refused the session, because its password has changed since; null if none did. */
    private @Nullable SQLException lockedOut;

    MasterLink(
            ReplicatedDatabase database,
            Properties credentials,
            ReplicaListener listener,
            Epoch epoch,
            MasterSession session)
            throws SQLException {
        this.database = database;
        this.credentials = credentials;
        this.listener = listener;
        this.epoch = epoch;
        this.session = session;
        this.schema = session.schema();
    }

    /** Returns the epoch of the Master to which this is connected. */
    Epoch epoch() {
        return epoch;
    }

    MasterSession session() {
        return session;
    }

    Connection connection() {
        return session.connection();
    }

    /** Whether the Master to which this is connected is no longer the present one. */
    boolean isLost() {
        return !database.masters().isCurrent(epoch) || epoch.master().ended();
    }

    /** Connects to the present Master, whose predecessor has failed. */
    void replace() throws SQLException {
        Masters.Connected now = connectAgain();
        try {
            session.connection().close();
        } catch (SQLException e) {
            // The engine of this connection has failed.
        }
        epoch = now.epoch();
        session = now.session();
        begin(connection());
        listener.replaced(connection());
    }

    private Masters.Connected connectAgain() throws SQLException {
        if (lockedOut != null) {
            // Not tried again: H2 delays the whole process for each wrong password.
            throw lockedOut;
        }
        try {
            return database.masters().connect(credentials);
        } catch (SQLException e) {
            if (RuntimeErrors.isLogin(e)) {
                lockedOut = e;
            }
            throw e;
        }
    }

    /** Reports that the Master of {@code failed} has failed with that error. Returns once there is another Master. */
    void failed(Epoch failed, SQLException error) throws SQLException {
        database.recovery().masterFailed(failed, error, credentials);
    }

    /** Sets a new connection to the schema in which the session began. The URL, or H2's INIT, may determine that schema. */
    private void begin(Connection connection) throws SQLException {
        if (schema != null && !schema.equals(connection.getSchema())) {
            connection.setSchema(schema);
        }
    }

    /** Prepares a new connection of the session to a Satellite. */
    void setUp(Connection satellite) throws SQLException {
        begin(satellite);
        listener.ready(satellite);
    }

    boolean isClosed() throws SQLException {
        return lockedOut != null || (isLost() ? database.closed() : connection().isClosed());
    }

    void close() {
        try (Connection connection = session.connection()) {
            if (!connection.isClosed()) {
                session.rollback();
            }
        } catch (SQLException e) {
            // The engine has ended, and the open transaction with it.
        }
    }
}
