package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.SqlToken.get;

import java.util.List;
import java.util.Set;

/**
 * Recognises the state that a statement leaves in its session on a server with PostgreSQL's protocol, and whether it ends a
 * transaction. The server judges everything else.
 */
public final class ServerSession {
    /** {@link SqlText#name} of a statement that ends a transaction and undoes its settings. */
    public static final String ROLLBACK = "ROLLBACK";

    /** {@link SqlText#name} of a statement that ends a transaction and keeps its settings, if it can. */
    public static final String COMMIT = "COMMIT";

    /** Statements whose effect could not be restored by repeating the statement alone. */
    private static final Set<String> HOLDS =
            Set.of("LISTEN", "UNLISTEN", "PREPARE", "DEALLOCATE", "DECLARE", "LOAD", "DISCARD", "RESET");

    private ServerSession() {}

    static SqlText recognise(String sql, List<SqlToken> tokens) {
        SqlToken first = tokens.get(0);
        boolean own = get(tokens, 1).is("MULTIMED");
        if (own && (first.is("SHOW") || first.is("SET"))) {
            return SqlText.named(
                    sql, SqlKind.MULTIMED, "MULTIMED." + get(tokens, 3).text());
        }
        if (first.is("SET")) {
            return set(sql, tokens);
        }
        return holds(tokens) ? SqlText.of(sql, SqlKind.PRIVATE) : SqlText.named(sql, SqlKind.WRITE, end(tokens));
    }

    /** Returns the name of a statement that ends a transaction; empty if it ends none. */
    private static String end(List<SqlToken> tokens) {
        SqlToken second = get(tokens, 1);
        boolean whole =
                second.kind() == SqlToken.Kind.END || second.is("WORK") || second.is("TRANSACTION") || second.is("AND");
        // ROLLBACK TO continues the transaction, PREPARED concerns another one.
        boolean savepoint = get(tokens, whole ? 2 : 1).is("TO");
        if (!whole || savepoint) {
            return "";
        }
        return switch (tokens.get(0).text()) {
            case "ROLLBACK", "ABORT" -> ROLLBACK;
            case "COMMIT", "END" -> COMMIT;
            default -> "";
        };
    }

    private static SqlText set(String sql, List<SqlToken> tokens) {
        int at = get(tokens, 1).is("SESSION") ? 2 : 1;
        String name = get(tokens, at).text();
        if (Set.of("LOCAL", "TRANSACTION", "CONSTRAINTS").contains(name)) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        if (name.equals("CHARACTERISTICS")) {
            // SET SESSION CHARACTERISTICS AS TRANSACTION …: the characteristics are set one by one.
            name = name + " " + get(tokens, at + 3).text();
        }
        if (get(tokens, at + 1).is('.')) {
            name = name + "." + get(tokens, at + 2).text();
        }
        return SqlText.named(sql, SqlKind.SETTING, name);
    }

    private static boolean holds(List<SqlToken> tokens) {
        if (HOLDS.contains(tokens.get(0).text())) {
            return true;
        }
        boolean creates = tokens.get(0).is("CREATE") || tokens.get(0).is("SELECT");
        for (SqlToken token : tokens) {
            String text = token.text();
            if ((token.isName() && (text.startsWith("PG_ADVISORY_LOCK") || text.equals("SET_CONFIG")))
                    || (creates && (token.is("TEMP") || token.is("TEMPORARY")))) {
                return true;
            }
        }
        return false;
    }

    /** Joins several statements of one text, because the state that each of them leaves cannot be distinguished. */
    static SqlText join(String sql, List<SqlText> parts) {
        boolean leaves = parts.stream().anyMatch(part -> part.kind() != SqlKind.WRITE);
        return SqlText.of(sql, leaves ? SqlKind.PRIVATE : SqlKind.WRITE);
    }
}
