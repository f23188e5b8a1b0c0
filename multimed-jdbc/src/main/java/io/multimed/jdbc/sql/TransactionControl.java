package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.Recogniser.get;

import io.multimed.jdbc.sql.Recogniser.Token;
import io.multimed.jdbc.sql.SqlLexer.Kind;
import java.util.List;

/** Transactions as text. What is written in a way that is not known here is a change like any other to the driver. */
final class TransactionControl {
    private TransactionControl() {}

    static SqlText recognise(Dialect dialect, String sql, List<Token> tokens) {
        switch (tokens.get(0).text()) {
            case "COMMIT":
                return SqlText.of(sql, ends(tokens, 1) ? SqlKind.COMMIT : SqlKind.WRITE);
            case "ROLLBACK":
                return rollback(sql, tokens);
            case "SAVEPOINT":
                return savepoint(sql, SqlKind.SAVEPOINT, tokens, 1);
            case "RELEASE":
                return savepoint(sql, SqlKind.RELEASE, tokens, get(tokens, 1).is("SAVEPOINT") ? 2 : 1);
            case "BEGIN":
                return SqlText.of(sql, dialect == Dialect.H2 && ends(tokens, 1) ? SqlKind.BEGIN : SqlKind.WRITE);
            case "START":
                return SqlText.of(
                        sql, get(tokens, 1).is("TRANSACTION") && tokens.size() == 2 ? SqlKind.BEGIN : SqlKind.WRITE);
            default:
                return SqlText.of(sql, SqlKind.WRITE);
        }
    }

    /** Whether nothing follows but the noise word. */
    private static boolean ends(List<Token> tokens, int from) {
        int at = from;
        if (get(tokens, at).is("WORK")
                || at + 1 == tokens.size() && get(tokens, at).is("TRANSACTION")) {
            at++;
        }
        if (get(tokens, at).is("AND")
                && get(tokens, at + 1).is("NO")
                && get(tokens, at + 2).is("CHAIN")) {
            at += 3;
        }
        return at == tokens.size();
    }

    private static SqlText rollback(String sql, List<Token> tokens) {
        if (ends(tokens, 1)) {
            return SqlText.of(sql, SqlKind.ROLLBACK);
        }
        int at = get(tokens, 1).is("WORK") ? 2 : 1;
        if (!get(tokens, at).is("TO")) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        at++;
        if (get(tokens, at).is("SAVEPOINT") && at + 1 < tokens.size()) {
            at++;
        }
        return savepoint(sql, SqlKind.ROLLBACK_TO, tokens, at);
    }

    private static SqlText savepoint(String sql, SqlKind kind, List<Token> tokens, int at) {
        Token name = get(tokens, at);
        boolean known = (name.kind() == Kind.WORD || name.kind() == Kind.QUOTED) && at + 1 == tokens.size();
        return known ? SqlText.named(sql, kind, name.text()) : SqlText.of(sql, SqlKind.WRITE);
    }
}
