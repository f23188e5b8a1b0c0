package io.multimed.engine.postgresql.partial;

import io.multimed.engine.postgresql.catalog.TransactionSnapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The catalogs of one database as of one snapshot, which lasts until this is closed. One thread. */
final class CatalogSnapshot implements AutoCloseable {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
            + " SET LOCAL search_path = pg_catalog; SET LOCAL jit = off";

    private static final String TAKEN = """
            SELECT pg_current_snapshot()::text, oid::int8 FROM pg_database WHERE datname = current_database()""";

    private final Connection node;
    private final CatalogQueries queries;
    private final TransactionSnapshot transactions;
    private final int database;
    /** The parts that have been read and do not depend on tables. */
    private final Map<CatalogPart, Map<String, String>> known = new EnumMap<>(CatalogPart.class);

    private CatalogSnapshot(Connection node, CatalogQueries queries, TransactionSnapshot transactions, int database) {
        this.node = node;
        this.queries = queries;
        this.transactions = transactions;
        this.database = database;
    }

    /** @param node in auto-commit mode; it is used by the snapshot alone until this is closed */
    static CatalogSnapshot take(Connection node) throws SQLException {
        try (Statement statement = node.createStatement()) {
            statement.execute(BEGIN);
            try (ResultSet row = statement.executeQuery(TAKEN)) {
                row.next();
                return new CatalogSnapshot(
                        node, CatalogQueries.of(node), TransactionSnapshot.parse(row.getString(1)), (int)
                                row.getLong(2));
            }
        }
    }

    /** Returns the transactions that it shows. */
    TransactionSnapshot transactions() {
        return transactions;
    }

    /** Returns the OID of the database. */
    int database() {
        return database;
    }

    /** Returns a hash for each object of a catalog, by the names of both; system objects of one catalog have one hash together. */
    Map<String, String> read(CatalogPart part, List<Long> tables) throws SQLException {
        Map<String, String> before = known.get(part);
        if (before != null) {
            return before;
        }
        Map<String, String> contents = new HashMap<>();
        try (PreparedStatement statement = node.prepareStatement(queries.text(part))) {
            if (part == CatalogPart.TABLES) {
                statement.setArray(1, node.createArrayOf("oid", tables.toArray()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String object = rows.getString(2);
                    contents.put(
                            object.isEmpty() ? rows.getString(1) : rows.getString(1) + " " + object, rows.getString(3));
                }
            }
        }
        if (part != CatalogPart.TABLES) {
            known.put(part, contents);
        }
        return contents;
    }

    @Override
    public void close() throws SQLException {
        try (Statement statement = node.createStatement()) {
            statement.execute("ROLLBACK");
        }
    }
}
