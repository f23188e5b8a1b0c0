package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.catalog.QueriedRows;
import io.multimed.engine.postgresql.copy.LeftOutFiles;
import io.multimed.engine.postgresql.partial.CatalogDigest;
import io.multimed.engine.postgresql.partial.TableFamilies;
import io.multimed.engine.postgresql.writeset.QualifiedName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of one database that a partial Satellite carries. With a partitioned table its partitions are carried, too.
 *
 * @param database in which the tables are
 * @param names qualified by a schema, written as in SQL
 * @param columns of tables that are carried without some: by the table's name as above, the names in the catalog
 */
public record CarriedTables(String database, List<String> names, Map<String, Set<String>> columns) {
    /** Number of tables that one transaction drops: each table takes a lock, as does each of its indexes. */
    private static final int DROPPED_AT_ONCE = 100;

    private static final String CARRIED = TableFamilies.QUERY;

    /** Relations of users, and those that hold them: a table for itself, its indexes, its TOAST table. */
    private static final String OWNERS = """
            , kept (oid) AS (
                SELECT oid FROM carried
                UNION
                SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e'
            ), owners (oid, owner) AS (
                SELECT oid, oid FROM pg_class WHERE relkind IN ('r', 'm', 'p')
                UNION ALL
                SELECT reltoastrelid, oid FROM pg_class WHERE reltoastrelid <> 0
                UNION ALL
                SELECT x.indexrelid, x.indrelid FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid AND c.relkind <> 't'
                UNION ALL
                SELECT x.indexrelid, c.oid FROM pg_index x JOIN pg_class c ON c.reltoastrelid = x.indrelid
            )
            """;

    /** The least OID of a user's object is 16384 (FirstNormalObjectId in access/transam.h). */
    private static final String LEFT_OUT_FILES = CARRIED + OWNERS + """
            SELECT pg_relation_filenode(oid) FROM owners
             WHERE owner >= 16384 AND owner NOT IN (SELECT oid FROM kept) AND pg_relation_filenode(oid) IS NOT NULL""";

    private static final String CARRIED_FILES = CARRIED + OWNERS + """
            SELECT pg_relation_filenode(oid) FROM owners
             WHERE owner IN (SELECT oid FROM kept) AND pg_relation_filenode(oid) IS NOT NULL""";

    private static final String OTHER_TABLES = CARRIED + OWNERS + """
            SELECT c.relkind = 'm', format('%I.%I', n.nspname, c.relname)
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'm', 'p') AND c.relpersistence <> 't' AND c.oid NOT IN (SELECT oid FROM kept)
               AND c.oid >= 16384""";

    private static final String COLUMNS = CARRIED + """
            SELECT c.oid || ' ' || a.attnum || ' ' || a.atttypid
              FROM carried c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attnum > 0""";

    private static final String PARENTS = CARRIED + """
            SELECT c.oid::regclass, i.inhparent::regclass
              FROM carried c JOIN pg_inherits i ON i.inhrelid = c.oid
             WHERE i.inhparent NOT IN (SELECT oid FROM carried) LIMIT 1""";

    private static final String WITHOUT_IDENTITY = CARRIED + """
            SELECT k.oid::regclass FROM carried JOIN pg_class k USING (oid) WHERE\s""" + TableFamilies.LACK_IDENTITY + "LIMIT 1";

    private static final String KIND = """
            SELECT c.oid, c.relkind, c.relpersistence FROM pg_class c WHERE c.oid = to_regclass(?)""";

    /** Catalogs whose rows belong to tables and decide what readers see. */
    private static final List<String> OF_TABLES = List.of("pg_policy", "pg_attrdef");

    private static final String RELATIONS = CARRIED + """
            SELECT n.nspname, c.relname FROM carried JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = c.relnamespace""";

    /** The kind of a table, how its rows are told apart, and whether it has heirs or a parent. */
    private static final String LIMITED = """
            SELECT n.nspname, c.relname, c.relkind, c.relreplident,
                   EXISTS (SELECT FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent))
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?)""";

    /** All columns of a table, whether its rows are told apart by them, and how they are written in SQL. */
    private static final String ALL_COLUMNS = """
            SELECT a.attname, EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND a.attnum = ANY (x.indkey)
                     AND CASE c.relreplident WHEN 'd' THEN x.indisprimary ELSE x.indisreplident END),
                   quote_ident(a.attname)
              FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE c.oid = to_regclass(?) ORDER BY a.attnum""";

    public CarriedTables {
        names = List.copyOf(names);
        columns = Map.copyOf(columns);
    }

    /** Makes tables that are carried with all columns. */
    public CarriedTables(String database, List<String> names) {
        this(database, names, Map.of());
    }

    /**
     * Checks that the tables can be carried, and finds the files of the other relations.
     *
     * @param master connection to the database on the Master
     * @throws EngineException if a table cannot be carried: with its name, the reason and the remedy
     */
    LeftOutFiles leftOut(Connection master) throws SQLException, EngineException {
        Array tables = array(master, oids(master));
        List<List<String>> parents = QueriedRows.of(master, PARENTS, tables);
        if (!parents.isEmpty()) {
            throw new EngineException(
                    "A partial Satellite cannot carry " + parents.get(0).get(0) + " without "
                            + parents.get(0).get(1) + ", whose partition or heir it is: carry that table.");
        }
        List<List<String>> without = QueriedRows.of(master, WITHOUT_IDENTITY, tables);
        if (!without.isEmpty()) {
            String table = without.get(0).get(0);
            throw new EngineException("A partial Satellite cannot carry " + table
                    + ", whose rows have no replica identity: give it a primary key, or use ALTER TABLE " + table
                    + " REPLICA IDENTITY.");
        }
        for (Map.Entry<String, Set<String>> limited : columns.entrySet()) {
            requireColumns(master, limited.getKey(), limited.getValue());
        }
        return new LeftOutFiles(databaseOid(master), numbers(master, LEFT_OUT_FILES, tables));
    }

    private static void requireColumns(Connection master, String table, Set<String> carried)
            throws SQLException, EngineException {
        List<List<String>> kinds = QueriedRows.of(master, LIMITED, table);
        String refusal = "A partial Satellite cannot carry some columns of " + table + " alone: ";
        if (kinds.isEmpty()
                || !kinds.get(0).get(2).equals("r")
                || kinds.get(0).get(4).equals("t")) {
            throw new EngineException(
                    refusal + "it is partitioned, or is or has a partition or heir. Leave it out of columns.");
        }
        if (kinds.get(0).get(3).equals("f")) {
            throw new EngineException(refusal + "its rows are told apart by all columns (REPLICA IDENTITY FULL)."
                    + " Give it a primary key, or leave it out of columns.");
        }
        Set<String> missing = new TreeSet<>(carried);
        for (List<String> column : QueriedRows.of(master, ALL_COLUMNS, table)) {
            if (!missing.remove(column.get(0)) && column.get(1).equals("t")) {
                throw new EngineException(refusal + "its rows are told apart by " + column.get(0)
                        + ", which is not among them. Add that column.");
            }
        }
        if (!missing.isEmpty()) {
            throw new EngineException(
                    refusal + "it has no column " + String.join(", ", missing) + ". Correct the names.");
        }
    }

    /**
     * Drops the columns that are not carried, with everything that depends on them.
     *
     * @param satellite connection to the database on the promoted copy, behind {@link #dropOthers}
     * @return the columns that are left, of the tables that have been limited
     * @throws EngineException if a column that is carried cannot do without one that is not
     */
    Map<QualifiedName, Set<String>> dropColumns(Connection satellite) throws SQLException, EngineException {
        Map<QualifiedName, Set<String>> left = new HashMap<>();
        for (Map.Entry<String, Set<String>> limited : columns.entrySet()) {
            String table = limited.getKey();
            Set<String> carried = limited.getValue();
            List<String> dropped = new ArrayList<>();
            for (List<String> column : QueriedRows.of(satellite, ALL_COLUMNS, table)) {
                if (!carried.contains(column.get(0))) {
                    dropped.add("DROP COLUMN IF EXISTS " + column.get(2) + " CASCADE");
                }
            }
            List<String> kind = QueriedRows.of(satellite, LIMITED, table).get(0);
            left.put(new QualifiedName(kind.get(0), kind.get(1)), carried);
            if (dropped.isEmpty()) {
                continue;
            }
            try (Statement statement = satellite.createStatement()) {
                for (String drop : dropped) {
                    statement.execute("ALTER TABLE " + table + " " + drop);
                }
                // This gives the room of the columns back.
                statement.execute("VACUUM (FULL) " + table);
            }
            Set<String> gone = new TreeSet<>(carried);
            QueriedRows.of(satellite, ALL_COLUMNS, table).forEach(column -> gone.remove(column.get(0)));
            if (!gone.isEmpty()) {
                throw new EngineException("A partial Satellite cannot carry " + String.join(", ", gone) + " of " + table
                        + " without columns from which they are generated. Add those columns, or leave these out.");
            }
        }
        return left;
    }

    /**
     * Reads the catalogs on which answers from these tables depend.
     *
     * @param node connection to the database on the Master, or on a copy that still has all tables
     */
    public CatalogDigest catalogs(Connection node) throws SQLException, EngineException {
        return CatalogDigest.read(node, oids(node));
    }

    /**
     * Drops the tables that a new copy does not carry, and everything that depends on them.
     *
     * @param satellite connection to the database on the promoted copy
     * @param leftOut the files that the copy lacks
     * @return the catalogs as they were before
     * @throws EngineException if the tables have changed during the copy, or cannot do without others
     */
    CatalogDigest dropOthers(Connection satellite, LeftOutFiles leftOut) throws SQLException, EngineException {
        List<Long> oids = oids(satellite);
        Array tables = array(satellite, oids);
        if (numbers(satellite, CARRIED_FILES, tables).stream().anyMatch(leftOut::contains)) {
            throw new EngineException("The tables that a partial Satellite carries changed while they were copied.");
        }
        CatalogDigest catalogs = CatalogDigest.read(satellite, oids);
        List<List<String>> before = QueriedRows.of(satellite, COLUMNS, tables);
        try (Statement statement = satellite.createStatement()) {
            // Event triggers of the user's must not run here.
            statement.execute("SET session_replication_role = replica");
            statement.execute("SET client_min_messages = error");
            List<List<String>> others = QueriedRows.of(satellite, OTHER_TABLES, tables);
            drop(statement, "TABLE", others, "f");
            drop(statement, "MATERIALIZED VIEW", others, "t");
        }
        if (!new HashSet<>(before).equals(new HashSet<>(QueriedRows.of(satellite, COLUMNS, tables)))) {
            throw new EngineException(
                    "The tables that a partial Satellite carries have columns whose types are the rows of "
                            + "tables that it does not carry: carry those, too.");
        }
        requireWhole(catalogs.differences(CatalogDigest.read(satellite, oids)));
        return catalogs;
    }

    /** A policy that is gone with a table on which it depends would show rows that it hides, or hide some. */
    private static void requireWhole(List<String> lost) throws EngineException {
        for (String object : lost) {
            String table = object.substring(object.indexOf(' ') + 1);
            for (String catalog : OF_TABLES) {
                if (object.equals(catalog + " " + table)) {
                    throw new EngineException(
                            "A partial Satellite cannot carry " + table + ": something that belongs to it (" + catalog
                                    + ") depends on tables that it does not carry. Carry those, too.");
                }
            }
        }
    }

    /** Returns the tables with their partitions and heirs. */
    Set<QualifiedName> relations(Connection node) throws SQLException, EngineException {
        Set<QualifiedName> relations = new HashSet<>();
        for (List<String> row : QueriedRows.of(node, RELATIONS, array(node, oids(node)))) {
            relations.add(new QualifiedName(row.get(0), row.get(1)));
        }
        return relations;
    }

    private static void drop(Statement statement, String kind, List<List<String>> tables, String isMaterialized)
            throws SQLException {
        List<String> names = tables.stream()
                .filter(row -> row.get(0).equals(isMaterialized))
                .map(row -> row.get(1))
                .toList();
        for (int from = 0; from < names.size(); from += DROPPED_AT_ONCE) {
            List<String> some = names.subList(from, Math.min(from + DROPPED_AT_ONCE, names.size()));
            statement.execute("DROP " + kind + " IF EXISTS " + String.join(", ", some) + " CASCADE");
        }
    }

    /** Returns the OIDs of the tables. */
    private List<Long> oids(Connection connection) throws SQLException, EngineException {
        List<Long> oids = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            // Names mean the same for Multimed, whatever the role's settings are.
            statement.execute("SET search_path = pg_catalog");
        }
        try (PreparedStatement kind = connection.prepareStatement(KIND)) {
            for (String name : names) {
                kind.setString(1, name);
                try (ResultSet row = kind.executeQuery()) {
                    if (!row.next()) {
                        throw new EngineException(
                                "There is no table " + name + " in database " + database + " for a partial Satellite.");
                    }
                    if (!row.getString(2).matches("[rp]") || !row.getString(3).equals("p")) {
                        throw new EngineException("A partial Satellite cannot carry " + name
                                + ": it is not an ordinary or partitioned table whose changes are logged.");
                    }
                    oids.add(row.getLong(1));
                }
            }
        }
        return oids;
    }

    private static Array array(Connection connection, List<Long> oids) throws SQLException {
        return connection.createArrayOf("oid", oids.toArray());
    }

    private static long databaseOid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT oid FROM pg_database WHERE datname = current_database()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Set<Long> numbers(Connection connection, String query, Array tables) throws SQLException {
        Set<Long> numbers = new HashSet<>();
        for (List<String> row : QueriedRows.of(connection, query, tables)) {
            numbers.add(Long.parseLong(row.get(0)));
        }
        return numbers;
    }
}
