package io.multimed.jdbc.remote;

import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.session.DriverSession.Setting;
import io.multimed.jdbc.session.Savepoints;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a session on a server, so that the session can go on with another connection. */
final class RemoteSettings {
    /** Settings made by SET, by subject, in order. */
    private final Map<String, String> settings = new LinkedHashMap<>();
    /** Settings made in the open transaction; a rollback undoes them. */
    private final List<SqlText> pending = new ArrayList<>();

    private final Savepoints savepoints = new Savepoints();
    /** Settings of the application on the connection, by name. */
    private final Map<String, Setting> told = new LinkedHashMap<>();

    private boolean readOnly;
    private @Nullable Integer isolation;

    /** Makes the settings on a new connection, where the session goes on. */
    void restore(Connection made, boolean autoCommit) throws SQLException {
        for (Setting setting : told.values()) {
            setting.on(made);
        }
        try (Statement statement = made.createStatement()) {
            // The server sees a new session that has not read anything. The Master's present state includes all that
            // the old session has seen.
            statement.execute("SELECT pg_current_wal_lsn()");
        }
        if (isolation != null) {
            made.setTransactionIsolation(isolation);
        }
        made.setReadOnly(readOnly);
        try (Statement statement = made.createStatement()) {
            for (String setting : settings.values()) {
                statement.execute(setting);
            }
        }
        made.setAutoCommit(autoCommit);
    }

    /** Notes a setting in the open transaction. */
    void set(SqlText setting) {
        pending.add(setting);
    }

    /** Keeps the settings of the transaction, which has ended. */
    void settle() {
        for (SqlText setting : pending) {
            settings.remove(setting.name());
            settings.put(setting.name(), setting.sql());
        }
        undone();
    }

    /** Drops the pending settings of the transaction, which has ended. */
    void undone() {
        pending.clear();
        savepoints.clear();
    }

    /** Drops the setting of a statement that has failed by itself. */
    void dropPending() {
        pending.clear();
    }

    void savepoint(Savepoint savepoint) throws SQLException {
        savepoints.set(savepoint, pending.size());
    }

    void rolledBackTo(Savepoint savepoint) throws SQLException {
        int kept = savepoints.rolledBackTo(savepoint);
        pending.subList(Math.min(kept, pending.size()), pending.size()).clear();
    }

    void released(Savepoint savepoint) throws SQLException {
        savepoints.released(savepoint);
    }

    boolean readOnly() {
        return readOnly;
    }

    void readOnly(boolean on) {
        readOnly = on;
        settings.remove("CHARACTERISTICS READ");
    }

    void isolation(int level) {
        isolation = level;
        settings.remove("CHARACTERISTICS ISOLATION");
    }

    /** Notes a setting that was made by a method of the connection. */
    void told(String name, Setting setting) {
        // Moved to the end, after the settings made before.
        told.remove(name);
        told.put(name, setting);
        if (name.startsWith(DriverSession.CLIENT_INFO)) {
            // This call sets the same parameter as pgjdbc's client info.
            settings.remove("APPLICATION_NAME");
        }
    }
}
