package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a session has made on the Master and that queries depend on, such as its schema: made on each
 * connection to a secondary before that is used. One thread at a time.
 */
final class FollowedSettings {
    /** By what they are about, in the order in which they were last made. */
    private final Map<String, String> settings = new LinkedHashMap<>();

    private final Map<Connection, Integer> made = new WeakHashMap<>();
    private int version;
    private @Nullable Connection upToDate;

    void add(String about, String sql) {
        settings.remove(about);
        settings.put(about, sql);
        version++;
        upToDate = null;
    }

    /** A new connection to a secondary. */
    void apply(Connection secondary) throws SQLException {
        try (Statement statement = secondary.createStatement()) {
            for (String setting : settings.values()) {
                statement.execute(setting);
            }
        }
        made.put(secondary, version);
    }

    /** The connection itself, set up as the Master's is. */
    Connection on(Connection node) throws SQLException {
        if (version == 0 || node == upToDate) {
            return node;
        }
        Integer known = made.get(node);
        // The Master's own connection has its settings from the application.
        if (known != null && known != version) {
            apply(node);
        }
        upToDate = node;
        return node;
    }
}
