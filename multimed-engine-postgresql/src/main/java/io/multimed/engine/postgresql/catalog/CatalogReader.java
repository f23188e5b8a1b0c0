package io.multimed.engine.postgresql.catalog;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.PartialTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the data that the SQL classifier needs about one database. */
public final class CatalogReader {
    private CatalogReader() {}

    /** @param master a connection to the Master, in the database in question; blocks for milliseconds */
    public static DatabaseCatalog read(Connection master) throws SQLException {
        return read(master, PartialTables.NONE);
    }

    /**
     * Reads also which partial Satellites hold which relations.
     *
     * @param partial the tables of this database that partial Satellites carry
     */
    public static DatabaseCatalog read(Connection master, PartialTables partial) throws SQLException {
        DatabaseCatalog.Builder builder = new DatabaseCatalog.Builder().database(master.getCatalog());
        if (partial.bits() != 0) {
            readRelations(master, partial, builder.holders(partial.bits() | PartialTables.INDEXED_ANYWHERE));
            readLimitedColumns(master, partial, builder);
        }
        try (PreparedStatement statement = master.prepareStatement(DatabaseCatalog.QUERY);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                builder.row(rows.getString(1), rows.getString(2), rows.getString(3));
            }
        }
        return builder.build();
    }

    private static void readLimitedColumns(Connection master, PartialTables partial, DatabaseCatalog.Builder builder)
            throws SQLException {
        List<Integer> bits = new ArrayList<>();
        List<String> tables = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        for (PartialTables.Node node : partial.nodes()) {
            node.columns()
                    .forEach((table, carried) -> carried.forEach(column -> {
                        bits.add(node.bit());
                        tables.add(table);
                        columns.add(column);
                    }));
        }
        if (bits.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = master.prepareStatement(DatabaseCatalog.LIMITED_COLUMNS_QUERY)) {
            statement.setArray(1, master.createArrayOf("int4", bits.toArray()));
            statement.setArray(2, master.createArrayOf("text", tables.toArray()));
            statement.setArray(3, master.createArrayOf("text", columns.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    builder.column(
                            rows.getString(1), rows.getInt(2), rows.getLong(3), rows.getString(4), rows.getBoolean(5));
                }
            }
        }
    }

    private static void readRelations(Connection master, PartialTables partial, DatabaseCatalog.Builder builder)
            throws SQLException {
        List<Integer> bits = new ArrayList<>();
        List<String> tables = new ArrayList<>();
        for (PartialTables.Node node : partial.nodes()) {
            for (String table : node.tables()) {
                bits.add(node.bit());
                tables.add(table);
            }
        }
        try (PreparedStatement statement = master.prepareStatement(DatabaseCatalog.RELATIONS_QUERY)) {
            statement.setArray(1, master.createArrayOf("int4", bits.toArray()));
            statement.setArray(2, master.createArrayOf("text", tables.toArray()));
            statement.setLong(3, partial.bits());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    Long holders = rows.getObject(2, Long.class);
                    builder.relation(
                            name,
                            holders == null || partial.areIndexed(name)
                                    ? holders
                                    : Long.valueOf(holders | PartialTables.INDEXED_ANYWHERE));
                }
            }
        }
    }
}
