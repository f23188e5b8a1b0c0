package io.multimed.engine.postgresql.catalog;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the roles of the cluster, so that the endpoint can authenticate clients as the Master would. */
public final class RoleReader {
    /**
     * The query for all roles. The time is fetched as an epoch, which does not depend on time zones or calendars. Infinite
     * times have cases of their own.
     */
    private static final String QUERY = """
            WITH RECURSIVE joined (member, id) AS (
              SELECT member, roleid FROM pg_catalog.pg_auth_members
              UNION
              SELECT joined.member, m.roleid FROM joined JOIN pg_catalog.pg_auth_members m ON m.member = joined.id),
            groups (member, names) AS (
              SELECT joined.member, array_agg(a.rolname::pg_catalog.text)
                FROM joined JOIN pg_catalog.pg_authid a ON a.oid = joined.id GROUP BY joined.member)
            SELECT rolname, rolpassword, rolcanlogin,
                   CASE WHEN isfinite(rolvaliduntil) THEN extract(epoch FROM rolvaliduntil) * 1000
                        WHEN rolvaliduntil = '-infinity' THEN 0 END::int8,
                   rolsuper, rolreplication, rolconnlimit, names
              FROM pg_catalog.pg_authid LEFT JOIN groups ON member = oid""";

    private RoleReader() {}

    /** @param master a superuser's connection to the Master, in any database */
    public static Map<String, EngineRole> read(Connection master) throws SQLException {
        Map<String, EngineRole> roles = new HashMap<>();
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            while (rows.next()) {
                EngineRole role = role(rows);
                roles.put(role.name(), role);
            }
        }
        return Map.copyOf(roles);
    }

    /** Returns one role, as it is now; empty if there is none of that name. */
    public static Optional<EngineRole> find(Connection master, String name) throws SQLException {
        try (PreparedStatement statement = master.prepareStatement(QUERY + " WHERE rolname = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(role(rows)) : Optional.empty();
            }
        }
    }

    private static EngineRole role(ResultSet rows) throws SQLException {
        return new EngineRole(
                rows.getString(1),
                rows.getString(2),
                rows.getBoolean(3),
                instant(rows),
                rows.getBoolean(5),
                rows.getBoolean(6),
                rows.getInt(7),
                groups(rows));
    }

    private static Set<String> groups(ResultSet rows) throws SQLException {
        Array names = rows.getArray(8);
        return names == null ? Set.of() : Set.of((String[]) names.getArray());
    }

    private static @Nullable Instant instant(ResultSet rows) throws SQLException {
        long millis = rows.getLong(4);
        return rows.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
