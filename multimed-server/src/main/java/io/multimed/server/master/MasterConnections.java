package io.multimed.server.master;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the Master as its superuser; blocks until it answers. */
@FunctionalInterface
public interface MasterConnections {
    Connection open(String database) throws SQLException;
}
