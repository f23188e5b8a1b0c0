package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.SqlToken.get;

import java.util.List;

/**
 * Recognises transaction control. Savepoints are left to the engine, and a statement in an unknown form is treated like any other
 * change.
 */
public final class TransactionControl {
    private TransactionControl() {}

    public static SqlText recognise(Dialect dialect, String sql, List<SqlToken> tokens) {
        return switch (tokens.get(0).text()) {
            case "COMMIT" -> SqlText.of(sql, ends(tokens, 1) ? SqlKind.COMMIT : SqlKind.WRITE);
            case "ROLLBACK" -> SqlText.of(sql, ends(tokens, 1) ? SqlKind.ROLLBACK : SqlKind.WRITE);
            case "BEGIN" -> SqlText.of(sql, dialect == Dialect.H2 && ends(tokens, 1) ? SqlKind.BEGIN : SqlKind.WRITE);
            case "START" ->
                SqlText.of(sql, get(tokens, 1).is("TRANSACTION") && tokens.size() == 2 ? SqlKind.BEGIN : SqlKind.WRITE);
            default -> SqlText.of(sql, SqlKind.WRITE);
        };
    }

    /** Whether only the noise word follows. */
    private static boolean ends(List<SqlToken> tokens, int from) {
        int at = from;
        if (get(tokens, at).is("WORK")
                || (at + 1 == tokens.size() && get(tokens, at).is("TRANSACTION"))) {
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
