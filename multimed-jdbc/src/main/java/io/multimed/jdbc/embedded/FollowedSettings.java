package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.jdbc.session.DriverSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a session has made on the Master and on which queries depend, such as its schema. They are made on each
 * connection to a Satellite before it is used, and on a connection to a new Master. One thread at a time.
 */
final class FollowedSettings implements ReplicaListener {
    /** Settings by subject, in the order in which they were last made. */
    private final Map<String, DriverSession.Setting> settings = new LinkedHashMap<>();

    private final Map<Connection, Integer> made = new WeakHashMap<>();
    private int version;
    private @Nullable Connection upToDate;
    /** The isolation level of the Master's connection; null as long as the application has not chosen one. */
    private @Nullable Integer isolation;

    private boolean readOnly;
    /** Other settings of the application on the Master's connection, by name. Satellites need only the holdability. */
    private final Map<String, DriverSession.Setting> told = new LinkedHashMap<>();

    void told(String name, DriverSession.Setting setting) {
        told.remove(name);
        told.put(name, setting);
        if (name.equals(DriverSession.HOLDABILITY)) {
            version++;
            upToDate = null;
        }
    }

    void add(String about, DriverSession.Setting setting) {
        settings.remove(about);
        settings.put(about, setting);
        version++;
        upToDate = null;
    }

    /** Adds a statement that has been executed on the Master. */
    void add(String about, String sql) {
        add(about, node -> {
            try (Statement statement = node.createStatement()) {
                statement.execute(sql);
            }
        });
    }

    void isolation(int level) {
        isolation = level;
    }

    void readOnly(boolean on) {
        readOnly = on;
    }

    @Override
    public void ready(Connection satellite) throws SQLException {
        apply(satellite);
        DriverSession.Setting holdability = told.get(DriverSession.HOLDABILITY);
        if (holdability != null) {
            holdability.on(satellite);
        }
        made.put(satellite, version);
    }

    @Override
    public void replaced(Connection master) throws SQLException {
        for (DriverSession.Setting setting : told.values()) {
            setting.on(master);
        }
        apply(master);
        if (isolation != null) {
            master.setTransactionIsolation(isolation);
        }
        if (readOnly) {
            master.setReadOnly(true);
        }
    }

    private void apply(Connection node) throws SQLException {
        for (DriverSession.Setting setting : settings.values()) {
            setting.on(node);
        }
    }

    /** Returns the connection after setting it up like the Master's. */
    Connection on(Connection node) throws SQLException {
        if (version == 0 || node == upToDate) {
            return node;
        }
        Integer known = made.get(node);
        // The Master's own connection has its settings from the application.
        if (known != null && known != version) {
            ready(node);
        }
        upToDate = node;
        return node;
    }
}
