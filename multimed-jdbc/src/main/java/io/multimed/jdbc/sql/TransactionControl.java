package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.Recogniser.get;

import io.multimed.jdbc.sql.Recogniser.Token;
import java.util.List;

/**
 * Recognises transaction control. Savepoints are left to the engine, and a statement in an unknown form is treated like any other
 * change.
 */
final class TransactionControl {
    private TransactionControl() {}

    static SqlText recognise(Dialect dialect, String sql, List<Token> tokens) {
        switch (tokens.get(0).text()) {
            case "COMMIT":
                return SqlText.of(sql, ends(tokens, 1) ? SqlKind.COMMIT : SqlKind.WRITE);
            case "ROLLBACK":
                return SqlText.of(sql, ends(tokens, 1) ? SqlKind.ROLLBACK : SqlKind.WRITE);
            case "BEGIN":
                return SqlText.of(sql, dialect == Dialect.H2 && ends(tokens, 1) ? SqlKind.BEGIN : SqlKind.WRITE);
            case "START":
                return SqlText.of(
                        sql, get(tokens, 1).is("TRANSACTION") && tokens.size() == 2 ? SqlKind.BEGIN : SqlKind.WRITE);
            default:
                return SqlText.of(sql, SqlKind.WRITE);
        }
    }

    /** Whether only the noise word follows. */
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
}
