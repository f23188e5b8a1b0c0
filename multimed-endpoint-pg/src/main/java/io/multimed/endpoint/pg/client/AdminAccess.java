package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices.Role;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import org.jspecify.annotations.Nullable;

/** Decides which roles may enter the admin database, and whether they see other clients there. */
final class AdminAccess {
    private AdminAccess() {}

    /**
     * Returns the view that a role has of the admin database.
     *
     * @param role null if there is none of that name, or the Master could not be asked
     * @param masterServes whether the Master could be asked
     * @throws ProtocolException PostgreSQL's error for a role that does not exist or may not log in
     */
    static Viewer viewer(EndpointOptions.Login login, String user, @Nullable Role role, boolean masterServes)
            throws ProtocolException {
        boolean administers = login.adminUsers().contains(user);
        boolean named = administers || login.statsUsers().contains(user);
        if (role == null && !masterServes) {
            if (named) {
                // Administrators need access above all when the Master is down.
                return new Viewer(user, true, administers);
            }
            throw ProtocolException.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now");
        }
        if (role == null) {
            throw ProtocolException.fatal(SqlState.INVALID_AUTHORIZATION, "role \"" + user + "\" does not exist");
        }
        if (!role.canLogin()) {
            throw ProtocolException.fatal(
                    SqlState.INVALID_AUTHORIZATION, "role \"" + user + "\" is not permitted to log in");
        }
        return new Viewer(user, named || role.superuser(), administers || role.superuser());
    }
}
