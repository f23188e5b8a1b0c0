package io.multimed.engine.postgresql.writeset;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of the Satellite's engine, as the applier's statements need it. Immutable, for one description of the table.
 *
 * <p>Values are passed as one array for each column, of the column's own type, so that the type's input function reads them. Array types
 * and composite ones, which unnest would take apart, are passed as text and cast.
 */
final class TargetTable {
    private static final String COLUMNS = """
            SELECT a.attname, pg_catalog.format_type(a.atttypid, -1),
                CASE WHEN t.typarray = 0 OR b.typtype = 'c' THEN '' ELSE pg_catalog.format_type(t.typarray, -1) END,
                t.typdelim, a.attgenerated <> '', a.attidentity = 'a', a.attnotnull
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            CROSS JOIN LATERAL (WITH RECURSIVE base(oid, typtype, typbasetype) AS (
                SELECT t.oid, t.typtype, t.typbasetype
                UNION ALL SELECT d.oid, d.typtype, d.typbasetype
                FROM base JOIN pg_catalog.pg_type d ON d.oid = base.typbasetype WHERE base.typtype = 'd')
                SELECT typtype FROM base WHERE typtype <> 'd') AS b
            WHERE a.attrelid = (SELECT c.oid FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relname = ?)
            AND a.attnum > 0 AND NOT a.attisdropped""";

    /** The columns of each unique index of all rows, with the operators of its equality, the primary key first. */
    private static final String KEYS = """
            SELECT i.indexrelid, a.attname, pg_catalog.quote_ident(n.nspname) || '.' || o.oprname
            FROM pg_catalog.pg_index i
            CROSS JOIN LATERAL pg_catalog.generate_series(0, i.indnkeyatts - 1) AS k(n)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.n]
            JOIN pg_catalog.pg_opclass p ON p.oid = i.indclass[k.n]
            JOIN pg_catalog.pg_am m ON m.oid = p.opcmethod AND m.amname = 'btree'
            JOIN pg_catalog.pg_amop q ON q.amopfamily = p.opcfamily AND q.amopstrategy = 3
                AND q.amoplefttype = p.opcintype AND q.amoprighttype = p.opcintype
            JOIN pg_catalog.pg_operator o ON o.oid = q.amopopr
            JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
            WHERE i.indrelid = (SELECT c.oid FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = ? AND c.relname = ?)
            AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
            ORDER BY i.indisprimary DESC, i.indexrelid, k.n""";

    private static final int FORMAT_ARGUMENTS = 50;

    /**
     * @param at its place among the values of a row
     * @param array the type of an array of it; empty if it is passed as text
     * @param generated whether it is not written: it is generated, or the Satellite does not carry it
     */
    private record Column(
            int at,
            String name,
            String type,
            String array,
            String delimiter,
            boolean generated,
            boolean always,
            boolean notNull) {
        String parameter() {
            return array.isEmpty() ? "pg_catalog.text[]" : array;
        }

        String value(String from) {
            return array.isEmpty() ? "CAST(" + from + " AS " + type + ")" : from;
        }
    }

    /** A statement and the columns whose values it takes, as arrays, in this order. */
    record Command(String sql, int[] columns, String delimiters) {}

    final Relation relation;
    private final String name;
    private final List<Column> columns;
    /** The columns of the key; null if rows are only known by all their values. */
    private final int @Nullable [] key;

    private final List<String> operators;

    private TargetTable(Relation relation, List<Column> columns, int @Nullable [] key, List<String> operators) {
        this.relation = relation;
        this.name = relation.name().quoted();
        this.columns = columns;
        this.key = key;
        this.operators = operators;
    }

    /**
     * Reads the catalog of the Satellite's engine.
     *
     * @param carried the columns that the engine has; null if it has all
     * @throws DivergedException if the engine does not have the table, or not one of these columns
     */
    static TargetTable read(Connection engine, Relation relation, @Nullable Set<String> carried)
            throws SQLException, DivergedException {
        Map<String, Column> found = new HashMap<>();
        try (PreparedStatement query = engine.prepareStatement(COLUMNS)) {
            query.setString(1, relation.name().schema());
            query.setString(2, relation.name().name());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String column = row.getString(1);
                    found.put(
                            column,
                            new Column(
                                    0,
                                    column,
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(3).isEmpty() ? "," : row.getString(4),
                                    row.getBoolean(5),
                                    row.getBoolean(6),
                                    row.getBoolean(7)));
                }
            }
        }
        List<Column> columns = new ArrayList<>();
        for (Relation.Column column : relation.columns()) {
            Column here = found.get(column.name());
            if (here == null && carried != null && !found.isEmpty() && !carried.contains(column.name())) {
                // Like a generated one it has a place among the values, and is written nowhere.
                columns.add(new Column(columns.size(), column.name(), "", "", ",", true, false, false));
                continue;
            }
            if (here == null) {
                throw new DivergedException(
                        found.isEmpty()
                                ? "there is no table " + relation.name()
                                : "table " + relation.name() + " has no column " + column.name());
            }
            columns.add(new Column(
                    columns.size(),
                    here.name,
                    here.type,
                    here.array,
                    here.delimiter,
                    here.generated,
                    here.always,
                    here.notNull));
        }
        return keyed(engine, relation, columns);
    }

    private static TargetTable keyed(Connection engine, Relation relation, List<Column> columns)
            throws SQLException, DivergedException {
        Map<String, Integer> at = new HashMap<>();
        columns.forEach(column -> at.put(column.name, column.at));
        List<String> identity = relation.columns().stream()
                .filter(Relation.Column::key)
                .map(Relation.Column::name)
                .toList();
        if (identity.isEmpty()) {
            return new TargetTable(relation, columns, null, List.of());
        }
        boolean full = relation.identity() == 'f';
        for (Map<String, String> index : indexes(engine, relation.name())) {
            boolean fits = full
                    ? index.keySet().stream()
                            .allMatch(column -> at.containsKey(column) && columns.get(at.get(column)).notNull)
                    : index.size() == identity.size() && index.keySet().containsAll(identity);
            if (fits) {
                int[] key = index.keySet().stream().mapToInt(at::get).toArray();
                return new TargetTable(relation, columns, key, List.copyOf(index.values()));
            }
        }
        if (full) {
            return new TargetTable(relation, columns, null, List.of());
        }
        throw new DivergedException("table " + relation.name() + " has no unique index of " + identity);
    }

    private static List<Map<String, String>> indexes(Connection engine, QualifiedName table) throws SQLException {
        Map<Long, Map<String, String>> indexes = new LinkedHashMap<>();
        try (PreparedStatement query = engine.prepareStatement(KEYS)) {
            query.setString(1, table.schema());
            query.setString(2, table.name());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    indexes.computeIfAbsent(row.getLong(1), index -> new LinkedHashMap<>())
                            .put(row.getString(2), row.getString(3));
                }
            }
        }
        return List.copyOf(indexes.values());
    }

    /** Whether the column can be written: it is not generated. */
    boolean isWritten(int column) {
        return !columns.get(column).generated;
    }

    int @Nullable [] key() {
        return key == null ? null : key.clone();
    }

    /** Takes the values of all columns that can be written. */
    Command insert() {
        List<Column> written =
                columns.stream().filter(column -> !column.generated).toList();
        if (written.isEmpty()) {
            // A table without columns still has rows.
            return new Command("", new int[0], "");
        }
        return command(
                "INSERT INTO " + name + " (" + names(written) + ") OVERRIDING SYSTEM VALUE SELECT "
                        + IntStream.range(0, written.size())
                                .mapToObj(i -> written.get(i).value("v.c" + i))
                                .collect(Collectors.joining(", "))
                        + " FROM " + unnest(written, 0),
                written);
    }

    /** Takes the values of the same columns by COPY; null if there is none, since COPY then wants all. */
    @Nullable
    Command copy() {
        List<Column> written =
                columns.stream().filter(column -> !column.generated).toList();
        return written.isEmpty() ? null : command("COPY " + name + " (" + names(written) + ") FROM STDIN", written);
    }

    /** Takes the keys, by the columns of the key. */
    Command delete() {
        List<Column> keys = keys();
        return command(
                "DELETE FROM ONLY " + name + " AS t USING " + unnest(keys, 0) + " WHERE " + match(keys, 0), keys);
    }

    /**
     * Takes the former keys, then the values of all columns that can be written, less the unchanged ones.
     *
     * @param unchanged whether a column has no new value
     * @param moved whether the key has new values
     */
    Command update(IntPredicate unchanged, boolean moved) {
        List<Column> keys = keys();
        List<Column> written = new ArrayList<>();
        boolean always = false;
        for (Column column : columns) {
            if (column.generated) {
                continue;
            }
            always |= column.always && (moved || !isKey(column));
            if (!unchanged.test(column.at) && (moved || !isKey(column))) {
                written.add(column);
            }
        }
        List<Column> all = new ArrayList<>(keys);
        all.addAll(written);
        String values = unnest(all, 0);
        if (!always) {
            String set = IntStream.range(0, written.size())
                    .mapToObj(i -> QualifiedName.quoted(written.get(i).name) + " = "
                            + written.get(i).value("v.c" + (keys.size() + i)))
                    .collect(Collectors.joining(", "));
            return command(
                    "UPDATE ONLY " + name + " AS t SET " + set + " FROM " + values + " WHERE " + match(keys, 0), all);
        }
        // No UPDATE can write an identity that is always generated, so the row is exchanged.
        List<Column> stored =
                columns.stream().filter(column -> !column.generated).toList();
        String whole = stored.stream()
                .map(column -> {
                    int place = written.indexOf(column);
                    String value = place < 0
                            ? "t." + QualifiedName.quoted(column.name)
                            : column.value("v.c" + (keys.size() + place));
                    return value + " AS r" + column.at;
                })
                .collect(Collectors.joining(", "));
        String taken = stored.stream().map(column -> "gone.r" + column.at).collect(Collectors.joining(", "));
        return command(
                "WITH gone AS (DELETE FROM ONLY " + name + " AS t USING " + values + " WHERE " + match(keys, 0)
                        + " RETURNING " + whole + ") INSERT INTO " + name + " (" + names(stored)
                        + ") OVERRIDING SYSTEM VALUE SELECT " + taken + " FROM gone",
                all);
    }

    /** Takes whole rows, and deletes one row for each, compared by the text of all values. */
    Command deleteWhole() {
        List<Column> compared =
                columns.stream().filter(column -> !column.generated).toList();
        String given = formatted(compared, i -> "v.c" + i);
        String stored = formatted(compared, i -> "t." + QualifiedName.quoted(compared.get(i).name));
        String texts = IntStream.range(0, compared.size())
                .mapToObj(i -> "?::pg_catalog.text[]")
                .collect(Collectors.joining(", "));
        String names =
                IntStream.range(0, compared.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        String sql = "WITH given AS (SELECT " + given
                + " AS whole, pg_catalog.count(*) AS n FROM unnest("
                + texts + ") AS v(" + names + ") GROUP BY 1), numbered AS (SELECT t.ctid AS place, g.n,"
                + " pg_catalog.row_number() OVER (PARTITION BY g.whole) AS r FROM ONLY " + name
                + " AS t JOIN given AS g ON " + stored + " = g.whole) DELETE FROM ONLY " + name
                + " WHERE ctid = ANY (ARRAY(SELECT place FROM numbered WHERE r <= n))";
        return new Command(sql, compared.stream().mapToInt(Column::at).toArray(), ",".repeat(compared.size()));
    }

    private static String formatted(List<Column> columns, IntFunction<String> value) {
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < columns.size(); from += FORMAT_ARGUMENTS) {
            int to = Math.min(columns.size(), from + FORMAT_ARGUMENTS);
            parts.add("pg_catalog.format('" + "%L,".repeat(to - from) + "', "
                    + IntStream.range(from, to).mapToObj(value).collect(Collectors.joining(", ")) + ")");
        }
        return "(" + String.join(" || ", parts) + ") COLLATE pg_catalog.\"C\"";
    }

    private boolean isKey(Column column) {
        return key != null && IntStream.of(key).anyMatch(at -> at == column.at);
    }

    private List<Column> keys() {
        if (key == null) {
            throw new IllegalStateException(name + " has no key");
        }
        return IntStream.of(key).mapToObj(columns::get).toList();
    }

    private String match(List<Column> keys, int from) {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> "t." + QualifiedName.quoted(keys.get(i).name) + " OPERATOR(" + operators.get(i) + ") "
                        + keys.get(i).value("v.c" + (from + i)))
                .collect(Collectors.joining(" AND "));
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(column -> QualifiedName.quoted(column.name)).collect(Collectors.joining(", "));
    }

    private static String unnest(List<Column> columns, int from) {
        return "unnest("
                + columns.stream().map(column -> "?::" + column.parameter()).collect(Collectors.joining(", "))
                + ") AS v("
                + IntStream.range(from, from + columns.size())
                        .mapToObj(i -> "c" + i)
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static Command command(String sql, List<Column> columns) {
        return new Command(
                sql,
                columns.stream().mapToInt(Column::at).toArray(),
                columns.stream().map(Column::delimiter).collect(Collectors.joining()));
    }
}
