package io.multimed.engine.postgresql.catalog;

import io.multimed.core.spi.EngineException;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.PartialTables;
import io.multimed.sql.QueriedTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the tables that a partial Satellite must carry to answer queries. The Master names what is missing, the classification what is
 * read.
 */
public final class QueriedTableFinder {
    private static final String PREPARED = "multimed_query";

    /** Schemas in which unqualified names are looked for: first as a session would, then all others, since applications set paths. */
    private static final String SEARCH_PATH = """
            SELECT set_config('search_path', current_setting('search_path') || coalesce((
                SELECT string_agg(', ' || quote_ident(nspname), '' ORDER BY nspname) FROM pg_catalog.pg_namespace
                 WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'), ''), true)""";

    private static final String RELATIONS = """
            SELECT c.relname, format('%I.%I', n.nspname, c.relname), CASE
                WHEN c.relkind IN ('r', 'p') AND c.relpersistence = 'p' THEN ''
                WHEN c.relkind IN ('r', 'p') THEN 'an unlogged table'
                WHEN c.relkind = 'm' THEN 'a materialized view'
                WHEN c.relkind = 'f' THEN 'a foreign table'
                ELSE 'a sequence' END
              FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE c.oid >= 16384 AND c.relpersistence <> 't' AND c.relkind IN ('r', 'p', 'm', 'f', 'S')""";

    /** The tables of names, or those whose partitions or heirs they are: a part is never carried alone. */
    private static final String ROOTS = """
            WITH RECURSIVE up (oid) AS (
                SELECT pg_catalog.to_regclass(n)::pg_catalog.oid FROM pg_catalog.unnest(?::pg_catalog.text[]) AS n
                UNION
                SELECT i.inhparent FROM up JOIN pg_catalog.pg_inherits i ON i.inhrelid = up.oid
            )
            SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
              FROM up JOIN pg_catalog.pg_class c USING (oid) JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)
             ORDER BY 1""";

    private QueriedTableFinder() {}

    private record Found(String name, String qualified, String unfit) {}

    /**
     * Finds the tables.
     *
     * @param master connection to the database on the Master, in auto-commit mode; blocks for some milliseconds
     * @param queries for which {@link QueriedTables#refusal} has returned nothing
     * @param options those by which reads will be classified
     * @return the tables, with their schemas, as in SQL
     * @throws EngineException if a query cannot be answered by a partial Satellite: with the reason
     */
    public static List<String> find(Connection master, String database, List<String> queries, ClassifierOptions options)
            throws SQLException, EngineException {
        master.setAutoCommit(false);
        try (Statement statement = master.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            statement.execute(SEARCH_PATH);
            List<Found> relations = new ArrayList<>();
            for (List<String> row : QueriedRows.of(master, RELATIONS)) {
                relations.add(new Found(row.get(0), row.get(1), row.get(2)));
            }
            List<String> carried = relations.stream()
                    .filter(relation -> relation.unfit().isEmpty())
                    .map(Found::qualified)
                    .toList();
            DatabaseCatalog catalog = CatalogReader.read(
                    master, new PartialTables(List.of(new PartialTables.Node(0, database, carried))));
            List<String> read = new ArrayList<>();
            for (String query : queries) {
                requireKnown(statement, query);
                read.addAll(read(query, relations, catalog, options));
            }
            return QueriedRows.of(master, ROOTS, master.createArrayOf("text", read.toArray())).stream()
                    .map(List::getFirst)
                    .toList();
        } finally {
            master.rollback();
            master.setAutoCommit(true);
        }
    }

    /** Has the Master look its names up; nothing is executed. */
    private static void requireKnown(Statement statement, String query) throws SQLException, EngineException {
        try {
            statement.execute("PREPARE " + PREPARED + " AS " + query);
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            // A lost connection says nothing about the query.
            if (state.startsWith("08") || state.startsWith("57")) {
                throw e;
            }
            String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw refused(query, "the master says: " + said.replaceFirst("^ERROR: ", ""));
        }
        statement.execute("DEALLOCATE " + PREPARED);
    }

    private static List<String> read(
            String query, List<Found> relations, DatabaseCatalog catalog, ClassifierOptions options)
            throws EngineException {
        QueriedTables.Found found = QueriedTables.of(query, catalog, options);
        if (found.refusal().isPresent()) {
            throw refused(query, "it " + found.refusal().get());
        }
        List<String> read = new ArrayList<>();
        for (Found relation : relations) {
            if (found.reads(relation.name())) {
                if (!relation.unfit().isEmpty()) {
                    throw refused(
                            query,
                            "it reads " + relation.qualified() + ", " + relation.unfit() + ", which cannot be carried");
                }
                if (found.cannotBeHeld(relation.name())) {
                    throw refused(
                            query,
                            "it reads " + relation.qualified()
                                    + ", which has a column whose values name objects of the catalog (regclass and the like)");
                }
                read.add(relation.qualified());
            }
        }
        return read;
    }

    private static EngineException refused(String query, String because) {
        return new EngineException("A partial Satellite cannot answer \"" + query.strip() + "\": " + because + ".");
    }
}
