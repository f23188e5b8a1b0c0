package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import io.multimed.endpoint.pg.session.loop.ConnectedClients;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CONNECTION LIMIT of roles and databases, and the configured limits for their clients. An engine counts its own sessions, of which Multimed opens as many as transactions need.
 * The clients are counted here.
 */
public final class ConnectionLimits {
    private static final String OF_ROLE = "multimed.limit_of_role";
    private static final String OF_DATABASE = "multimed.limit_of_database";
    /** The names of the rows in the answer to {@link #QUESTION}. */
    static final Set<String> NAMES = Set.of(OF_ROLE, OF_DATABASE);

    /** The query for the connection limits of a session's role and database. Superusers have none. */
    static final String QUESTION = "SELECT limits.name, limits.value::pg_catalog.text"
            + " FROM pg_catalog.pg_roles r, pg_catalog.pg_database d, LATERAL (VALUES ('" + OF_ROLE
            + "', r.rolconnlimit), ('" + OF_DATABASE + "', d.datconnlimit)) AS limits (name, value)"
            + " WHERE r.rolname = session_user AND NOT r.rolsuper"
            + " AND d.datname = pg_catalog.current_database() AND limits.value >= 0";

    private static final long NO_LIMIT = Long.MAX_VALUE;

    private ConnectionLimits() {}

    /**
     * PostgreSQL's error that refuses one more client of this kind; null if it is not refused.
     *
     * @param reported the parameters found at login
     * @param clients the clients that are connected already
     * @param configured limits besides those that the Master knows
     */
    public static @Nullable ErrorFields refuse(
            PoolKey key, Map<String, String> reported, ConnectedClients clients, ClientLimits configured) {
        long ofRole =
                Math.min(number(reported.get(OF_ROLE)), configured(Limit.MAX_USER_CLIENT_CONNECTIONS, key, configured));
        if (ofRole < NO_LIMIT && clients.countOfRole(key.user()) >= ofRole) {
            return tooMany("role", key.user());
        }
        long ofDatabase = Math.min(
                number(reported.get(OF_DATABASE)), configured(Limit.MAX_DB_CLIENT_CONNECTIONS, key, configured));
        if (ofDatabase < NO_LIMIT && clients.countInDatabase(key.database()) >= ofDatabase) {
            return tooMany("database", key.database());
        }
        return null;
    }

    private static long number(@Nullable String reported) {
        return reported == null ? NO_LIMIT : Long.parseLong(reported);
    }

    private static long configured(Limit limit, PoolKey key, ClientLimits configured) {
        long most = configured.of(limit, key.user(), key.database());
        return most == 0 ? NO_LIMIT : most;
    }

    private static ErrorFields tooMany(String what, String name) {
        return ErrorFields.fatal(
                SqlState.TOO_MANY_CONNECTIONS, "too many connections for " + what + " \"" + name + "\"");
    }

    /**
     * Whether an engine reports that a role or a database has too many sessions. The engine counts Multimed's connections,
     * including those that are idle or not yet closed.
     */
    public static boolean isReached(ErrorFields error, PoolKey key) {
        return error.sqlState().equals(SqlState.TOO_MANY_CONNECTIONS)
                && (error.message().contains('"' + key.user() + '"')
                        || error.message().contains('"' + key.database() + '"'));
    }
}
