package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.SqlToken.get;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a query has no effect and means the same on every node. It looks at each token by itself, so it needs no
 * understanding of the query's structure: a word before a parenthesis must belong to the language or be a function that is known
 * to be harmless, and no word may write, lock or draw from a sequence.
 */
public final class ReadJudge {
    private static final Set<String> FORBIDDEN = Set.of(
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "INTO",
            "CALL",
            "FINAL",
            // Sequences, also as pseudo-columns of H2's Oracle mode and as functions of its PostgreSQL mode.
            "NEXTVAL",
            "CURRVAL",
            "IDENTITY",
            "SCOPE_IDENTITY",
            "LAST_INSERT_ID",
            "LASTVAL",
            // Each engine numbers and dates rows by itself.
            "_ROWID_",
            "SYSTEM_TIME",
            "PERIOD",
            // Catalogs describe the node that holds them.
            "INFORMATION_SCHEMA",
            "SYSTEM_LOBS",
            "PG_CATALOG",
            "CURRENT_CATALOG",
            "MODULE");

    /** The forbidden words that are also forbidden in quotes, because they are names and not words of the language. */
    private static final Set<String> FORBIDDEN_NAMES =
            Set.of("NEXTVAL", "CURRVAL", "_ROWID_", "INFORMATION_SCHEMA", "SYSTEM_LOBS", "PG_CATALOG", "MODULE");

    /** The forbidden words that would change something. */
    private static final Set<String> CHANGING = Set.of(
            "INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "CALL", "FINAL", "NEXTVAL", "IDENTITY", "SCOPE_IDENTITY");

    /** Words of the language that may stand before a parenthesis. */
    private static final Set<String> CONSTRUCTS = Set.of(
            "ALL",
            "AND",
            "ANY",
            "ARRAY",
            "AS",
            "ASYMMETRIC",
            "BETWEEN",
            "BIGINT",
            "BINARY",
            "BLOB",
            "BOOLEAN",
            "BY",
            "CASE",
            "CAST",
            "CHAR",
            "CHARACTER",
            "CLOB",
            "CROSS",
            "CUBE",
            "DATE",
            "DEC",
            "DECIMAL",
            "DISTINCT",
            "DOUBLE",
            "ELSE",
            "ESCAPE",
            "EXCEPT",
            "EXISTS",
            "FETCH",
            "FILTER",
            "FIRST",
            "FLOAT",
            "FROM",
            "FULL",
            "GROUP",
            "GROUPING",
            "HAVING",
            "IN",
            "INNER",
            "INT",
            "INTEGER",
            "INTERSECT",
            "INTERVAL",
            "IS",
            "JOIN",
            "LATERAL",
            "LEFT",
            "LIKE",
            "LIMIT",
            "MATERIALIZED",
            "MINUS",
            "NATURAL",
            "NEXT",
            "NOT",
            "NUMERIC",
            "NVARCHAR",
            "OF",
            "OFFSET",
            "ON",
            "OR",
            "ORDER",
            "OUTER",
            "OVER",
            "PARTITION",
            "REAL",
            "RIGHT",
            "ROLLUP",
            "ROW",
            "SELECT",
            "SETS",
            "SMALLINT",
            "SOME",
            "SYMMETRIC",
            "TABLE",
            "THEN",
            "TIME",
            "TIMESTAMP",
            "TOP",
            "UNION",
            "UNIQUE",
            "USING",
            "VALUES",
            "VARBINARY",
            "VARCHAR",
            "VARCHAR2",
            "VARYING",
            "WHEN",
            "WHERE",
            "WINDOW",
            "WITHIN",
            "YEAR",
            "MONTH",
            "DAY",
            "HOUR",
            "MINUTE",
            "SECOND",
            "QUALIFY",
            "RANGE",
            "ROWS",
            "GROUPS",
            "LARGE",
            "OBJECT",
            "PRECISION",
            "CORRESPONDING");

    private ReadJudge() {}

    /** Whether this word of the language may stand before a parenthesis. */
    public static boolean isConstruct(String word) {
        return CONSTRUCTS.contains(word);
    }

    static boolean isHarmless(Predicate<String> harmless, List<SqlToken> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            boolean isHarmless = switch (token.kind()) {
                case STRANGE -> false;
                case WORD -> isHarmlessWord(harmless, tokens, i);
                // A function's name in quotes, or a name that would require a look into the catalog.
                case QUOTED -> !(get(tokens, i + 1).is('(') && !isAlias(tokens, i)) && !isForbidden(token.text());
                case SYMBOL -> token.symbol() != ']' || !get(tokens, i + 1).is('(');
                default -> true;
            };
            if (!isHarmless) {
                return false;
            }
        }
        return true;
    }

    private static boolean isForbidden(String name) {
        return FORBIDDEN_NAMES.contains(name.toUpperCase(java.util.Locale.ROOT));
    }

    private static boolean isHarmlessWord(Predicate<String> harmless, List<SqlToken> tokens, int i) {
        SqlToken token = tokens.get(i);
        SqlToken following = get(tokens, i + 1);
        if (FORBIDDEN.contains(token.text())) {
            return false;
        }
        if ((token.is("NEXT") || token.is("CURRENT")) && following.is("VALUE")) {
            return false;
        }
        if ((token.is("NEW") || token.is("OLD")) && following.is("TABLE")) {
            return false;
        }
        if (token.is("FOR") && (following.is("SHARE") || following.is("NO") || following.is("KEY"))) {
            return false;
        }
        if (!following.is('(')) {
            return true;
        }
        if (get(tokens, i - 1).is('.')) {
            return false;
        }
        return CONSTRUCTS.contains(token.text()) || isAlias(tokens, i) || harmless.test(token.text());
    }

    /**
     * Returns the part of a query that may change something: a word that does, or a call of a function that is not on the list.
     *
     * @return as part of a sentence; null if there is none
     */
    public static @Nullable String mayChange(Predicate<String> harmless, List<SqlToken> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            boolean called = get(tokens, i + 1).is('(');
            boolean qualified = get(tokens, i - 1).is('.');
            if (token.kind() == SqlToken.Kind.STRANGE) {
                return "what stands at position " + (token.start() + 1);
            }
            if (called && token.kind() == SqlToken.Kind.QUOTED && !isAlias(tokens, i)) {
                return "\"" + token.text() + "\"(…)";
            }
            if (token.kind() != SqlToken.Kind.WORD) {
                continue;
            }
            boolean locks = token.is("UPDATE") && get(tokens, i - 1).is("FOR");
            boolean draws = token.is("NEXT") && get(tokens, i + 1).is("VALUE");
            if ((!qualified && !locks && CHANGING.contains(token.text())) || draws) {
                return token.text();
            }
            boolean known = CONSTRUCTS.contains(token.text()) || isAlias(tokens, i) || harmless.test(token.text());
            if (called && (qualified || !known)) {
                return token.text() + "(…)";
            }
        }
        return null;
    }

    /** Whether a name with columns stands here: {@code AS name (columns)}, {@code WITH [RECURSIVE] name (columns)}. */
    private static boolean isAlias(List<SqlToken> tokens, int i) {
        SqlToken before = get(tokens, i - 1);
        return before.is("AS") || before.is("WITH") || before.is("RECURSIVE");
    }

    /**
     * Recognises a query.
     *
     * @param harmless whether a function of that name, in upper case, has no effect and means the same on every node
     */
    public static SqlText query(Predicate<String> harmless, String sql, List<SqlToken> tokens) {
        if (!isHarmless(harmless, tokens)) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        Set<String> identifiers = new HashSet<>();
        for (SqlToken token : tokens) {
            if (token.isName()) {
                identifiers.add(token.text().toUpperCase(Locale.ROOT));
            }
        }
        return new SqlText(sql, SqlKind.READ, "", Set.copyOf(identifiers), List.of());
    }
}
