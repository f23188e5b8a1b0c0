package io.multimed.engine.postgresql.comparison;

import io.multimed.engine.postgresql.catalog.QueriedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A table to compare.
 *
 * @param oid its number, the same on all engines
 * @param name with its schema, as in SQL
 * @param blocks number of its blocks when it was found
 */
public record ComparedTable(long oid, String name, long blocks) {
    private static final String DATABASES = "SELECT datname FROM pg_catalog.pg_database WHERE datallowconn"
            + " AND datname <> 'template0' ORDER BY datname";

    /**
     * The tables of users with rows. Those of the system have rows that the engine changes in their place, which has no order among the
     * commits.
     */
    private static final String TABLES = """
            SELECT c.oid::text, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname),
                (pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::int8)::text
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p' AND c.oid >= 16384
              AND c.relam = (SELECT oid FROM pg_catalog.pg_am WHERE amname = 'heap')
              AND pg_catalog.pg_relation_size(c.oid) > 0
            ORDER BY c.oid""";

    /** Returns the names of the Master's databases. */
    public static List<String> databases(Connection master) throws SQLException {
        return QueriedRows.of(master, DATABASES).stream().map(row -> row.get(0)).toList();
    }

    /** Returns the tables of the database of the connection. */
    public static List<ComparedTable> of(Connection master) throws SQLException {
        List<ComparedTable> tables = new ArrayList<>();
        for (List<String> row : QueriedRows.of(master, TABLES)) {
            tables.add(new ComparedTable(Long.parseLong(row.get(0)), row.get(1), Long.parseLong(row.get(2))));
        }
        return tables;
    }
}
