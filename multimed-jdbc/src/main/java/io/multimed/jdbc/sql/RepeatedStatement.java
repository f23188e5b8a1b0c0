package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.Recogniser.get;

import io.multimed.jdbc.sql.Recogniser.Token;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Statements of engines whose changes are executed again on Satellites: all that could make a difference there is refused. */
final class RepeatedStatement {
    private static final Set<String> DEFINES =
            Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "REINDEX");

    /** Objects whose code runs inside the engine, or that only one session has. */
    private static final Set<String> UNKNOWABLE =
            Set.of("SEQUENCE", "FUNCTION", "PROCEDURE", "AGGREGATE", "TYPE", "SYNONYM", "VIRTUAL", "TEMP", "TEMPORARY");

    private static final Set<String> PRAGMAS = Set.of(
            "TABLE_INFO",
            "TABLE_XINFO",
            "TABLE_LIST",
            "INDEX_INFO",
            "INDEX_XINFO",
            "INDEX_LIST",
            "FOREIGN_KEY_LIST",
            "DATABASE_LIST",
            "COMPILE_OPTIONS",
            "INTEGRITY_CHECK",
            "QUICK_CHECK",
            "FOREIGN_KEY_CHECK");

    private final Dialect dialect;
    private final String sql;
    private final List<Token> tokens;

    RepeatedStatement(Dialect dialect, String sql, List<Token> tokens) {
        this.dialect = dialect;
        this.sql = sql;
        this.tokens = tokens;
    }

    /** What it is if it is no query. */
    SqlText recognise() {
        Token first = tokens.get(0);
        String word = first.text();
        if (first.kind() != SqlLexer.Kind.WORD) {
            return refused("what begins with " + (word.isEmpty() ? String.valueOf(first.symbol()) : word));
        }
        if (Recogniser.isMultimed(get(tokens, 1)) && Set.of("SHOW", "SET").contains(word)) {
            return SqlText.of(sql, SqlKind.MULTIMED);
        }
        if (DEFINES.contains(word)) {
            return definition();
        }
        switch (word) {
            case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE":
                return change(SqlKind.CHANGE);
            case "PRAGMA":
                return tokens.stream().noneMatch(token -> token.is('='))
                                && PRAGMAS.contains(get(tokens, 1).text())
                        ? SqlText.of(sql, SqlKind.WRITE)
                        : refused("PRAGMA " + get(tokens, 1).text() + " (give settings in the URL)");
            case "LOCK", "EXPLAIN", "SHOW":
                return SqlText.of(sql, SqlKind.WRITE);
            case "END":
                return SqlText.of(sql, SqlKind.COMMIT);
            case "BEGIN":
                return begin();
            case "SAVEPOINT":
                return tokens.size() == 1 ? SqlText.of(sql, SqlKind.WRITE) : savepoint();
            case "RELEASE":
                return savepoint();
            case "SET":
                return get(tokens, 1).is("SCHEMA") || get(tokens, 2).is("SCHEMA")
                        ? SqlText.named(sql, SqlKind.SETTING, "SCHEMA")
                        : refused("SET " + get(tokens, 1).text());
            case "COMMIT", "ROLLBACK":
                SqlText ends = TransactionControl.recognise(dialect, sql, tokens);
                return ends.kind() == SqlKind.WRITE ? savepoint() : ends;
            default:
                return refused(word);
        }
    }

    /** What is no BEGIN of SQLite's is the engine's to refuse. */
    private SqlText begin() {
        Token mode = get(tokens, 1);
        boolean locks = mode.is("IMMEDIATE") || mode.is("EXCLUSIVE");
        int rest = locks || mode.is("DEFERRED") ? 2 : 1;
        boolean whole = tokens.size() == rest
                || tokens.size() == rest + 1 && tokens.get(rest).is("TRANSACTION");
        if (dialect != Dialect.SQLITE || !whole) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        return SqlText.named(sql, SqlKind.BEGIN, locks ? mode.text() : "");
    }

    private SqlText savepoint() {
        return refused("a savepoint in words (use Connection.setSavepoint)");
    }

    private SqlText definition() {
        for (int i = 1; i < Math.min(tokens.size(), 4); i++) {
            Token token = tokens.get(i);
            if (token.kind() == SqlLexer.Kind.WORD && UNKNOWABLE.contains(token.text())) {
                return refused(tokens.get(0).text() + " " + token.text());
            }
        }
        // SQLite takes one for CREATE TABLE … AS SELECT, and NULL for one that is not there.
        boolean parameter = tokens.stream().anyMatch(token -> token.is('?') || token.is(':'));
        return parameter ? refused("a parameter of a definition") : change(SqlKind.DDL);
    }

    /** {@code WITH … INSERT}: a change behind a common table expression. */
    static boolean changes(List<Token> tokens) {
        return tokens.get(0).is("WITH")
                && tokens.stream()
                        .anyMatch(token ->
                                token.is("INSERT") || token.is("UPDATE") || token.is("DELETE") || token.is("INTO"));
    }

    SqlText change(SqlKind kind) {
        String obstacle = tokens.size() == 1 ? null : ReplayJudge.obstacle(dialect, tokens);
        return obstacle == null ? SqlText.of(sql, kind) : refused(obstacle);
    }

    private SqlText refused(@Nullable String what) {
        return SqlText.refused(
                sql,
                "With propagation=statements replicas execute changes again, and " + what
                        + " might not mean the same there: write it otherwise, give the value as a parameter, or use"
                        + " replicas=1.");
    }
}
