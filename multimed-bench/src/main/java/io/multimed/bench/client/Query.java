package io.multimed.bench.client;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Queries of one value, which must be there. */
public final class Query {
    private Query() {}

    public static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    public static long number(Connection connection, String sql) throws SQLException {
        return Long.parseLong(text(connection, sql));
    }
}
