package io.multimed.bench.load;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the database that is to be filled. */
public interface Connector {
    Connection open() throws SQLException;
}
