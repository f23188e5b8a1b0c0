package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.SqlToken.get;

import io.multimed.jdbc.sql.SqlToken.Kind;
import java.util.List;
import java.util.Set;

/** Recognises {@code SET}: a setting of this session, of the database, or transaction control. */
final class SetStatements {
    /** Settings that a session keeps for itself and that change the results of its queries (H2 manual, "SET …"). */
    private static final Set<String> H2_FOLLOWED = Set.of(
            "SCHEMA",
            "SCHEMA_SEARCH_PATH",
            "TIME",
            "NON_KEYWORDS",
            "VARIABLE_BINARY",
            "TRUNCATE_LARGE_LENGTH",
            "QUERY_TIMEOUT");
    /**
     * Settings without a meaning on a Satellite: it neither locks nor changes, and returns the rows of one snapshot, which a lazy
     * query would not.
     */
    private static final Set<String> H2_OWN =
            Set.of("LAZY_QUERY_EXECUTION", "LOCK_TIMEOUT", "THROTTLE", "CATALOG", "ROLE", "EXCLUSIVE");

    private static final Set<String> HSQLDB_FOLLOWED = Set.of("SCHEMA", "TIME", "ROLE", "IGNORECASE");
    private static final Set<String> HSQLDB_OWN = Set.of("TRANSACTION", "CONSTRAINTS", "LOCAL");

    private SetStatements() {}

    static SqlText recognise(Dialect dialect, String sql, List<SqlToken> tokens) {
        SqlToken name = get(tokens, 1);
        if (name.is("AUTOCOMMIT") && tokens.size() >= 3) {
            return autocommit(sql, tokens);
        }
        return switch (dialect) {
            case H2 -> h2(sql, name);
            case HSQLDB -> hsqldb(sql, tokens);
            default -> SqlText.of(sql, SqlKind.PRIVATE);
        };
    }

    private static SqlText autocommit(String sql, List<SqlToken> tokens) {
        SqlToken value = tokens.get(tokens.size() - 1);
        boolean simple =
                tokens.size() == 3 || (tokens.size() == 4 && tokens.get(2).is('='));
        if (simple && (value.is("TRUE") || value.is("ON"))) {
            return SqlText.of(sql, SqlKind.AUTOCOMMIT_ON);
        }
        if (simple && (value.is("FALSE") || value.is("OFF"))) {
            return SqlText.of(sql, SqlKind.AUTOCOMMIT_OFF);
        }
        return SqlText.of(sql, SqlKind.WRITE);
    }

    private static SqlText h2(String sql, SqlToken name) {
        if (name.is("SESSION")) {
            return SqlText.of(sql, SqlKind.COMMITTING);
        }
        if (name.kind() == Kind.STRANGE || H2_OWN.contains(name.text())) {
            // A variable; queries that read variables run on the Master.
            return SqlText.of(sql, SqlKind.WRITE);
        }
        return H2_FOLLOWED.contains(name.text())
                ? SqlText.named(sql, SqlKind.SETTING, name.text())
                : SqlText.of(sql, SqlKind.DDL);
    }

    private static SqlText hsqldb(String sql, List<SqlToken> tokens) {
        String name = get(tokens, 1).text();
        if (HSQLDB_FOLLOWED.contains(name)) {
            return SqlText.named(sql, SqlKind.SETTING, name);
        }
        if (name.equals("SESSION")) {
            boolean characteristics = get(tokens, 2).is("CHARACTERISTICS");
            return SqlText.of(sql, characteristics ? SqlKind.WRITE : SqlKind.PRIVATE);
        }
        if (name.equals("MAXROWS")) {
            return SqlText.of(sql, SqlKind.PRIVATE);
        }
        return SqlText.of(sql, HSQLDB_OWN.contains(name) ? SqlKind.WRITE : SqlKind.DDL);
    }
}
