package io.multimed.engine.postgresql.catalog;

import io.multimed.sql.DatabaseCatalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the data that the SQL classifier needs about one database. */
public final class CatalogReader {
    private CatalogReader() {}

    /** @param master a connection to the Master, in the database in question; blocks for milliseconds */
    public static DatabaseCatalog read(Connection master) throws SQLException {
        DatabaseCatalog.Builder builder = new DatabaseCatalog.Builder();
        try (PreparedStatement statement = master.prepareStatement(DatabaseCatalog.QUERY);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                builder.row(rows.getString(1), rows.getString(2), rows.getString(3));
            }
        }
        return builder.build();
    }
}
