package io.multimed.engine.postgresql.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads whole results of queries about catalogs. */
public final class QueriedRows {
    private QueriedRows() {}

    /**
     * Returns all rows, with values as text.
     *
     * @param parameters of the query, in order
     */
    public static List<List<String>> of(Connection node, String query, Object... parameters) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (PreparedStatement statement = node.prepareStatement(query)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(result.getString(column));
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }
}
