package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices.Role;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import org.jspecify.annotations.Nullable;

/** Decides who may enter the admin database, and what of other clients he sees there. */
final class AdminAccess {
    private AdminAccess() {}

    /**
     * The view that a role has of the admin database.
     *
     * @param role null if there is none of that name, or the Master could not be asked
     * @param masterServes whether the Master could be asked
     * @throws ProtocolException as PostgreSQL refuses names that are no role
     */
    static Viewer viewer(EndpointOptions.Login login, String user, @Nullable Role role, boolean masterServes)
            throws ProtocolException {
        boolean named = login.adminUsers().contains(user) || login.statsUsers().contains(user);
        if (role == null && !masterServes) {
            if (named) {
                // It is then that somebody has to look.
                return new Viewer(user, true);
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
        return new Viewer(user, named || role.superuser());
    }
}
