package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.SqlToken.get;

import io.multimed.jdbc.sql.SqlToken.Kind;
import java.util.List;

/** The statements of H2 and HSQLDB, whose changed rows are captured. */
record CapturedGrammar(Dialect dialect) implements Grammar {
    @Override
    public boolean hasBodies() {
        return dialect == Dialect.HSQLDB;
    }

    @Override
    public SqlText statement(String sql, List<SqlToken> tokens) {
        SqlText text = byWords(sql, tokens);
        return text.kind() == SqlKind.WRITE && endsOthers(tokens) ? SqlText.of(sql, SqlKind.ENDS_OTHERS) : text;
    }

    /** Whether one of H2's functions that cancel what another session is executing is called. */
    private boolean endsOthers(List<SqlToken> tokens) {
        if (dialect == Dialect.H2) {
            for (int i = 0; i < tokens.size(); i++) {
                if (tokens.get(i).is("CANCEL_SESSION") && get(tokens, i + 1).is('(')) {
                    return true;
                }
            }
        }
        return false;
    }

    private SqlText byWords(String sql, List<SqlToken> tokens) {
        SqlToken first = tokens.get(0);
        if (first.is('(')) {
            return ReadJudge.query(dialect::harmless, sql, tokens);
        }
        if (first.kind() != Kind.WORD) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        return switch (first.text()) {
            case "SELECT", "WITH", "VALUES", "TABLE" -> ReadJudge.query(dialect::harmless, sql, tokens);
            case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE" -> SqlText.of(sql, SqlKind.CHANGE);
            case "SHOW" -> SqlText.of(sql, get(tokens, 1).is("MULTIMED") ? SqlKind.MULTIMED : SqlKind.WRITE);
            case "SET" ->
                get(tokens, 1).is("MULTIMED")
                        ? SqlText.of(sql, SqlKind.MULTIMED)
                        : SetStatements.recognise(dialect, sql, tokens);
            case "USE" -> SqlText.named(sql, SqlKind.SETTING, "SCHEMA");
            case "CREATE", "DECLARE" ->
                SqlText.of(sql, isLocalTemporary(tokens) ? localTemporary(tokens) : SqlKind.DDL);
            case "ALTER", "DROP", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "ANALYZE", "RENAME", "REFRESH" ->
                SqlText.of(sql, isSession(tokens) ? SqlKind.WRITE : SqlKind.DDL);
            case "RUNSCRIPT", "PERFORM", "IMPORT" -> SqlText.of(sql, SqlKind.OPAQUE);
            case "EXECUTE" -> SqlText.of(sql, immediate(tokens));
            case "SCRIPT", "PREPARE", "DEALLOCATE" ->
                SqlText.of(sql, commits(tokens) ? SqlKind.COMMITTING : SqlKind.WRITE);
            case "CONNECT" -> SqlText.of(sql, SqlKind.PRIVATE);
            case "SHUTDOWN" -> SqlText.of(sql, SqlKind.SHUTDOWN);
            default -> TransactionControl.recognise(dialect, sql, tokens);
        };
    }

    /**
     * Whether a table is created that only its session sees. HSQLDB uses DECLARE for it, and both engines hide its rows from other
     * sessions.
     */
    private static boolean isLocalTemporary(List<SqlToken> tokens) {
        for (int i = 1; i < Math.min(4, tokens.size()); i++) {
            if (tokens.get(i).is("LOCAL")) {
                return get(tokens, i + 1).is("TEMPORARY") || get(tokens, i + 1).is("TEMP");
            }
        }
        return tokens.get(0).is("DECLARE");
    }

    /**
     * Returns the kind of a temporary table's definition. H2 commits, unless an option between the columns and the query prevents
     * it.
     */
    private SqlKind localTemporary(List<SqlToken> tokens) {
        if (dialect != Dialect.H2) {
            return SqlKind.PRIVATE;
        }
        int depth = 0;
        for (int i = 1; i < tokens.size() && !(depth == 0 && tokens.get(i).is("AS")); i++) {
            SqlToken token = tokens.get(i);
            if (token.is('(')) {
                depth++;
            } else if (token.is(')')) {
                depth--;
            } else if (depth == 0 && token.is("TRANSACTIONAL") && !isNamed(tokens.get(i - 1))) {
                return SqlKind.PRIVATE;
            }
        }
        return SqlKind.PRIVATE_COMMITTING;
    }

    /** Whether the name of a table follows. */
    private static boolean isNamed(SqlToken token) {
        return token.is("TABLE") || token.is("EXISTS") || token.is('.');
    }

    /** Whether the statement commits. {@code PREPARE COMMIT} does not: it is the first phase of a two-phase commit. */
    private boolean commits(List<SqlToken> tokens) {
        return dialect == Dialect.H2 && !get(tokens, 1).is("COMMIT");
    }

    /** Whether it is HSQLDB's {@code ALTER SESSION …}. */
    private static boolean isSession(List<SqlToken> tokens) {
        return get(tokens, 1).is("SESSION");
    }

    /**
     * Returns the kind of H2's EXECUTE. {@code EXECUTE IMMEDIATE 'text'} has the kind of its text; any other statement was
     * prepared before, so its kind is unknown.
     */
    private SqlKind immediate(List<SqlToken> tokens) {
        if (get(tokens, 1).is("IMMEDIATE") && get(tokens, 2).kind() == Kind.STRING && tokens.size() == 3) {
            SqlKind inner = new Recogniser(this)
                    .recognise(tokens.get(2).text().replace("''", "'"))
                    .kind();
            if (!inner.isSpecial()) {
                return SqlKind.WRITE;
            }
            if (inner == SqlKind.ENDS_OTHERS) {
                return inner;
            }
            return inner == SqlKind.DDL ? SqlKind.DDL : SqlKind.OPAQUE;
        }
        return SqlKind.OPAQUE;
    }
}
