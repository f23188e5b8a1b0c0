package io.multimed.engine.postgresql.indexes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads what the Master knows about the indexes of one database. */
public final class IndexSurvey {
    /** Indexes of users' tables. An index of a partitioned table cannot be dropped without a lock on it, nor can one of its parts. */
    private static final String INDEXES = """
            WITH RECURSIVE named (node, oid) AS (
                SELECT n.node, to_regclass(n.name)::oid FROM ROWS FROM (unnest(?::text[]), unnest(?::text[])) AS n (node, name)
            ), carried (node, oid) AS (
                SELECT node, oid FROM named WHERE oid IS NOT NULL
                UNION SELECT c.node, i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            SELECT n.nspname, t.relname, i.relname, pg_get_indexdef(i.oid), coalesce(s.spcname, ''),
                   coalesce(obj_description(i.oid, 'pg_class'), ''),
                   CASE WHEN x.indisprimary THEN 'primary key'
                        WHEN x.indisexclusion THEN 'exclusion constraint'
                        WHEN x.indisunique THEN 'unique'
                        WHEN x.indisreplident THEN 'replica identity'
                        WHEN x.indisclustered THEN 'CLUSTER goes by it'
                        WHEN i.relkind = 'I' THEN 'of a partitioned table'
                        WHEN i.relispartition THEN 'part of a partitioned index'
                        WHEN t.relpersistence <> 'p' THEN 'of an unlogged table'
                        WHEN t.relkind NOT IN ('r', 'p') THEN 'of a materialized view'
                        WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.oid AND coalesce(a.attstattarget, -1) >= 0)
                            THEN 'has statistics targets of its own'
                        WHEN EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.oid
                                        AND d.deptype IN ('e', 'x'))
                            THEN 'belongs to an extension'
                        ELSE '' END,
                   x.indisvalid AND x.indisready AND x.indislive, pg_relation_size(i.oid),
                   coalesce(pg_stat_get_numscans(i.oid), 0),
                   coalesce((SELECT f.conname FROM pg_constraint f
                              WHERE f.contype = 'f' AND f.conrelid = t.oid AND f.conkey[1] = x.indkey[0]
                              ORDER BY f.conname LIMIT 1), ''),
                   (SELECT coalesce(array_agg(DISTINCT c.node ORDER BY c.node), '{}') FROM carried c WHERE c.oid = t.oid),
                   (SELECT count(*) FROM pg_index o WHERE o.indrelid = t.oid),
                   pg_stat_get_tuples_inserted(t.oid) + pg_stat_get_tuples_deleted(t.oid)
                       + pg_stat_get_tuples_updated(t.oid) - pg_stat_get_tuples_hot_updated(t.oid)
              FROM pg_index x
              JOIN pg_class i ON i.oid = x.indexrelid
              JOIN pg_class t ON t.oid = x.indrelid AND t.relkind IN ('r', 'p', 'm') AND t.relpersistence <> 't'
              JOIN pg_namespace n ON n.oid = t.relnamespace
              LEFT JOIN pg_tablespace s ON s.oid = i.reltablespace
             WHERE i.oid >= 16384 AND n.nspname NOT LIKE 'pg\\_%'
             ORDER BY n.nspname, t.relname, i.relname""";

    private IndexSurvey() {}

    /**
     * Reads them.
     *
     * @param master connection to the database on the Master, which this changes the search path of; blocks for milliseconds
     * @param carried the tables that each partial Satellite of the database carries, as in SQL
     */
    public static List<SurveyedIndex> read(Connection master, String database, Map<String, List<String>> carried)
            throws SQLException {
        List<String> nodes = new ArrayList<>();
        List<String> tables = new ArrayList<>();
        carried.forEach((node, names) -> names.forEach(name -> {
            nodes.add(node);
            tables.add(name);
        }));
        List<SurveyedIndex> indexes = new ArrayList<>();
        try (Statement statement = master.createStatement()) {
            // A definition names everything with its schema.
            statement.execute("SET search_path = pg_catalog");
        }
        try (PreparedStatement statement = master.prepareStatement(INDEXES)) {
            statement.setArray(1, master.createArrayOf("text", nodes.toArray()));
            statement.setArray(2, master.createArrayOf("text", tables.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    indexes.add(new SurveyedIndex(
                            new SurveyedIndex.Name(
                                    database,
                                    row.getString(1),
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4),
                                    row.getString(5),
                                    row.getString(6)),
                            row.getString(7),
                            row.getBoolean(8),
                            row.getLong(9),
                            row.getLong(10),
                            row.getString(11),
                            Arrays.asList((String[]) row.getArray(12).getArray()),
                            row.getInt(13),
                            row.getLong(14)));
                }
            }
        }
        return indexes;
    }
}
