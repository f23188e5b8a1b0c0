package io.multimed.jdbc.replay;

import static io.multimed.jdbc.sql.SqlToken.get;

import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.ReadJudge;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlToken;
import io.multimed.jdbc.sql.TransactionControl;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recognises statements of engines whose changes are executed again on Satellites. Refuses all that might have another effect
 * there.
 */
final class RepeatedStatement {
    private static final Set<String> DEFINES =
            Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "REINDEX");

    /** Words that may stand between the first word of a definition and the kind of its object. */
    private static final Set<String> BETWEEN = Set.of("OR", "REPLACE", "UNIQUE");

    private final SqlRules rules;
    private final String sql;
    private final List<SqlToken> tokens;

    RepeatedStatement(SqlRules rules, String sql, List<SqlToken> tokens) {
        this.rules = rules;
        this.sql = sql;
        this.tokens = tokens;
    }

    /** Returns a query that no other node may answer. */
    SqlText queryOnMaster() {
        String change = rules.queriesChangeNothing() ? null : ReadJudge.mayChange(rules::mayQuery, tokens);
        return change == null
                ? SqlText.of(sql, locks() ? SqlKind.LOCK : SqlKind.WRITE)
                : SqlText.refused(
                        sql,
                        "With propagation=statements queries must change nothing, and of " + change
                                + " that is not known: write it otherwise, or use replicas=1.");
    }

    /** Whether it is {@code SELECT … FOR UPDATE}. */
    private boolean locks() {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.get(i).is("UPDATE") && tokens.get(i - 1).is("FOR")) {
                return true;
            }
        }
        return false;
    }

    /** Recognises a statement that is no query. */
    SqlText recognise() {
        SqlToken first = tokens.get(0);
        String word = first.text();
        if (first.kind() != SqlToken.Kind.WORD) {
            return refused("what begins with " + (word.isEmpty() ? String.valueOf(first.symbol()) : word));
        }
        if (get(tokens, 1).is("MULTIMED") && Set.of("SHOW", "SET").contains(word)) {
            return SqlText.of(sql, SqlKind.MULTIMED);
        }
        if (rules.passes(word) || rules.passes(word + " " + get(tokens, 1).text())) {
            return SqlText.of(sql, word.equals("LOCK") ? SqlKind.LOCK : SqlKind.WRITE);
        }
        if (DEFINES.contains(word)) {
            return definition();
        }
        return switch (word) {
            case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE" -> change(SqlKind.CHANGE);
            case "PRAGMA" -> refused("PRAGMA " + get(tokens, 1).text() + " (give settings in the URL)");
            case "BEGIN" -> rules.knowsBegin() ? begin() : refused(word);
            case "END" -> rules.knowsBegin() ? SqlText.of(sql, SqlKind.COMMIT) : refused(word);
            case "SAVEPOINT", "RELEASE" -> savepoint();
            case "SET" -> setting();
            case "COMMIT", "ROLLBACK" -> {
                SqlText ends = TransactionControl.recognise(Dialect.DESCRIBED, sql, tokens);
                yield ends.kind() == SqlKind.WRITE ? savepoint() : ends;
            }
            default -> refused(word);
        };
    }

    /** Recognises BEGIN. The engine must refuse forms that Multimed does not know. */
    private SqlText begin() {
        SqlToken mode = get(tokens, 1);
        boolean locks = rules.locks(mode.text());
        int rest = locks || mode.is("DEFERRED") ? 2 : 1;
        boolean whole = tokens.size() == rest
                || (tokens.size() == rest + 1 && tokens.get(rest).is("TRANSACTION"));
        return whole ? SqlText.named(sql, SqlKind.BEGIN, locks ? mode.text() : "") : SqlText.of(sql, SqlKind.WRITE);
    }

    private SqlText setting() {
        String name = tokens.get(tokens.size() - 1).text();
        boolean schema = get(tokens, 1).is("SCHEMA") || get(tokens, 2).is("SCHEMA");
        return schema && !rules.refuses(name.toUpperCase(Locale.ROOT) + ".")
                ? SqlText.named(sql, SqlKind.SETTING, "SCHEMA")
                : refused("SET " + get(tokens, 1).text());
    }

    private SqlText savepoint() {
        return refused("a savepoint in words (use Connection.setSavepoint)");
    }

    private SqlText definition() {
        String verb = tokens.get(0).text();
        int object = 1;
        while (BETWEEN.contains(get(tokens, object).text())) {
            object++;
        }
        String beginning = verb + " " + get(tokens, object).text();
        if (!rules.defines(verb) && !rules.defines(beginning)) {
            return refused(beginning);
        }
        // Some engines accept a parameter in CREATE TABLE … AS SELECT, and take NULL if it is not set.
        boolean parameter = tokens.stream().anyMatch(token -> token.is('?') || token.is(':'));
        return parameter ? refused("a parameter of a definition") : change(SqlKind.DDL, object);
    }

    /** Whether it is a change after a common table expression: {@code WITH … INSERT}. */
    static boolean changes(List<SqlToken> tokens) {
        return tokens.get(0).is("WITH")
                && tokens.stream()
                        .anyMatch(token ->
                                token.is("INSERT") || token.is("UPDATE") || token.is("DELETE") || token.is("INTO"));
    }

    SqlText change(SqlKind kind) {
        return change(kind, 0);
    }

    private SqlText change(SqlKind kind, int from) {
        String obstacle = tokens.size() == 1 ? null : ReplayJudge.obstacle(rules, tokens, from);
        return obstacle == null ? SqlText.of(sql, kind) : refused(obstacle);
    }

    private SqlText refused(String what) {
        return SqlText.refused(
                sql,
                "With propagation=statements replicas execute changes again, and " + what
                        + " might not mean the same there: write it otherwise, give the value as a parameter, or use"
                        + " replicas=1.");
    }
}
