package io.multimed.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The backslash commands of the built-in shell: the few of psql that are needed to look around. */
final class ShellCommands {
    static final String HELP = """
            \\d            tables, views and sequences
            \\d NAME       one of them: columns, indexes, constraints
            \\dt           tables
            \\l            databases
            \\du           roles
            \\c DATABASE   go on in another database
            \\?            this help
            \\q            end
            Statements end with ';' at the end of a line. psql, which is used if it is installed, knows far more.""";

    private static final String RELATIONS = """
            SELECT n.nspname AS "Schema", c.relname AS "Name",
                   CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
                        WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'foreign table' END AS "Type",
                   pg_catalog.pg_get_userbyid(c.relowner) AS "Owner"
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN (%s) AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
              AND pg_catalog.pg_table_is_visible(c.oid)
            ORDER BY 1, 2""";

    private static final Map<String, String> QUERIES = Map.of(
            "\\d",
            RELATIONS.formatted("'r', 'p', 'v', 'm', 'S', 'f'"),
            "\\dt",
            RELATIONS.formatted("'r', 'p'"),
            "\\l",
            """
            SELECT datname AS "Name", pg_catalog.pg_get_userbyid(datdba) AS "Owner",
                   pg_catalog.pg_encoding_to_char(encoding) AS "Encoding", datcollate AS "Collate", datctype AS "Ctype"
            FROM pg_catalog.pg_database ORDER BY 1""",
            "\\du",
            """
            SELECT rolname AS "Role name", pg_catalog.concat_ws(', ',
                   CASE WHEN rolsuper THEN 'Superuser' END, CASE WHEN NOT rolinherit THEN 'No inheritance' END,
                   CASE WHEN rolcreaterole THEN 'Create role' END, CASE WHEN rolcreatedb THEN 'Create DB' END,
                   CASE WHEN NOT rolcanlogin THEN 'Cannot login' END, CASE WHEN rolreplication THEN 'Replication' END,
                   CASE WHEN rolbypassrls THEN 'Bypass RLS' END) AS "Attributes"
            FROM pg_catalog.pg_roles WHERE rolname !~ '^pg_' ORDER BY 1""");

    /** The queries about a relation; its name, as it was typed, replaces {@code %s}. */
    private static final List<String> ABOUT = List.of("""
            SELECT a.attname AS "Column", pg_catalog.format_type(a.atttypid, a.atttypmod) AS "Type",
                   CASE WHEN a.attnotnull THEN 'not null' END AS "Nullable",
                   pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS "Default"
            FROM pg_catalog.pg_attribute a
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum""", """
            SELECT pg_catalog.pg_get_indexdef(indexrelid) AS "Indexes"
            FROM pg_catalog.pg_index WHERE indrelid = %s ORDER BY 1""", """
            SELECT conname AS "Constraint", pg_catalog.pg_get_constraintdef(oid) AS "Definition"
            FROM pg_catalog.pg_constraint WHERE conrelid = %s AND contype <> 'n' ORDER BY 1""");

    private ShellCommands() {}

    /** Returns the query of a command without an argument; null if the command is unknown. */
    static @Nullable String query(String command) {
        return QUERIES.get(command);
    }

    /**
     * Returns the queries about one relation. The first one shows its columns; of the others, those without a result are not
     * shown.
     */
    static List<String> about(String name) {
        // An unknown name is an error of the first query.
        String relation = "E'" + name.replace("\\", "\\\\").replace("'", "''") + "'::pg_catalog.regclass";
        return ABOUT.stream().map(query -> query.replace("%s", relation)).toList();
    }
}
