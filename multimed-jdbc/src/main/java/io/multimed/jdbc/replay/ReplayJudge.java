package io.multimed.jdbc.replay;

import static io.multimed.jdbc.sql.SqlToken.get;

import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.ReadJudge;
import io.multimed.jdbc.sql.SqlToken;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a change means the same when it is executed again on a copy. It looks at each token by itself, as
 * {@link ReadJudge} does: called functions must be on the engine's list, and no word may stand for the moment, the session, chance
 * or an undetermined order. Anything unknown is refused.
 */
final class ReplayJudge {
    /** Words for the moment and the session. */
    private static final Set<String> UNSTABLE = Set.of(
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "CURRENT_USER",
            "CURRENT_ROLE",
            "CURRENT_SCHEMA",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "SESSION_USER",
            "SYSTEM_USER");

    /** Texts that some engines convert to a moment, if the engine's rules refuse these words. */
    private static final Set<String> MOMENTS = Set.of("NOW", "TODAY", "TOMORROW", "YESTERDAY");

    /** Words with which the engine chooses the rows or their order. */
    private static final Set<String> UNORDERED = Set.of("LIMIT", "OFFSET", "FETCH", "OVER", "TABLESAMPLE");

    /** Words of definitions that may stand before a parenthesis. */
    private static final Set<String> CONSTRUCTS =
            Set.of("KEY", "CHECK", "DEFAULT", "CONFLICT", "SET", "TEXT", "RAISE", "DATA", "BIT", "TEMPORARY", "STORED");

    /** Words that are types if digits follow in parentheses, and functions otherwise. */
    private static final Set<String> TIMES =
            Set.of("DATE", "TIME", "TIMESTAMP", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    /** Words of the language in queries that have no use in changes, where they would be functions. */
    private static final Set<String> QUERIES_ONLY = Set.of("FIRST", "TOP");

    /** Words before the name of a table, view or common table expression, which may have its columns in parentheses. */
    private static final Set<String> BEFORE_NAMES =
            Set.of("INTO", "TABLE", "REFERENCES", "VIEW", "EXISTS", "AS", "WITH", "RECURSIVE");

    /**
     * Words that keep the first of several values that are equal but not identical, such as texts with and without trailing
     * blanks.
     */
    private static final Set<String> REPRESENTATIVES = Set.of("DISTINCT", "GROUP", "UNION", "EXCEPT", "INTERSECT");

    /** Derby's isolation levels, as in {@code WITH UR} at the end of a statement. */
    private static final Set<String> ISOLATIONS = Set.of("UR", "CS", "RS", "RR");

    private final SqlRules rules;
    private final List<SqlToken> tokens;
    private final boolean index;

    private ReplayJudge(SqlRules rules, List<SqlToken> tokens) {
        this.rules = rules;
        this.tokens = tokens;
        this.index = get(tokens, 0).is("CREATE")
                && (get(tokens, 1).is("INDEX") || get(tokens, 2).is("INDEX"));
    }

    /**
     * Finds an obstacle in a definition that a database already has and that runs with statements, as if it were made now.
     *
     * @param text an expression or query
     * @return the obstacle, as part of a sentence; null if there is none
     */
    static @Nullable String obstacle(SqlRules rules, String text) {
        return obstacle(rules, SqlToken.all(text), 0);
    }

    /**
     * Finds an obstacle.
     *
     * @param from the first token that is checked
     * @return the obstacle, as part of a sentence; null if there is none
     */
    static @Nullable String obstacle(SqlRules rules, List<SqlToken> tokens, int from) {
        ReplayJudge judge = new ReplayJudge(rules, tokens);
        for (int i = from; i < tokens.size(); i++) {
            String obstacle = judge.obstacle(i);
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    private @Nullable String obstacle(int i) {
        SqlToken token = tokens.get(i);
        SqlToken following = get(tokens, i + 1);
        return switch (token.kind()) {
            case STRANGE -> "what stands at position " + (token.start() + 1);
            case QUOTED -> {
                if (isRefusedSchema(token, following)) {
                    yield "\"" + token.text() + "\"";
                }
                yield following.is('(') && !isName(i) ? "\"" + token.text() + "\"(…)" : null;
            }
            case STRING -> isMoment(token) ? "'" + token.text() + "'" : null;
            case SYMBOL -> token.is('[') || token.is(']') ? "a name in brackets" : null;
            case WORD -> word(i, token, following);
            default -> null;
        };
    }

    private @Nullable String word(int i, SqlToken token, SqlToken following) {
        String word = token.text();
        boolean called = following.is('(');
        if (get(tokens, i - 1).is('.')) {
            // A column or table, whatever its name.
            return called && !isName(i) ? word + "(…)" : null;
        }
        boolean listed = called && rules.mayChange(word);
        if (UNSTABLE.contains(word) || UNORDERED.contains(word) || (rules.refuses(word) && !listed)) {
            return word;
        }
        if (isRefusedSchema(token, following) || isChoice(i, word, following)) {
            return word;
        }
        if (word.equals("WITH") && isIsolation(i + 1)) {
            return "WITH " + following.text();
        }
        if (!called || listed || CONSTRUCTS.contains(word)) {
            return null;
        }
        return isConstruct(i, word) || isName(i) || isType(i) ? null : word + "(…)";
    }

    private boolean isConstruct(int i, String word) {
        if (TIMES.contains(word)) {
            return get(tokens, i + 2).kind() == SqlToken.Kind.NUMBER && !rules.mayQuery(word);
        }
        return ReadJudge.isConstruct(word) && !QUERIES_ONLY.contains(word) && !rules.mayQuery(word);
    }

    /** Whether an isolation level stands here, and not the name of a common table expression. */
    private boolean isIsolation(int i) {
        SqlToken behind = get(tokens, i + 1);
        return ISOLATIONS.contains(get(tokens, i).text()) && !behind.is("AS") && !behind.is('(');
    }

    private boolean isMoment(SqlToken text) {
        String word = text.text().strip().toUpperCase(Locale.ROOT);
        return MOMENTS.contains(word) && rules.refuses(word);
    }

    /** Whether it is the name of a schema that not all sessions share. */
    private boolean isRefusedSchema(SqlToken token, SqlToken following) {
        return following.is('.') && rules.refuses(token.text().toUpperCase(Locale.ROOT) + ".");
    }

    /** Whether the engine may choose any of several rows. */
    private boolean isChoice(int i, String word, SqlToken following) {
        if (word.equals("FROM")) {
            return !get(tokens, i - 1).is("DISTINCT") && isJoinOfUpdate(i);
        }
        if (rules.equalTextsAreTheSame()) {
            return false;
        }
        if ((word.equals("MAX") || word.equals("MIN")) && following.is('(')) {
            return !isNumber(i);
        }
        boolean counted = get(tokens, i - 1).is('(') && get(tokens, i - 2).is("COUNT");
        // A IS DISTINCT FROM B chooses nothing.
        return REPRESENTATIVES.contains(word) && !following.is("ALL") && !following.is("FROM") && !counted;
    }

    /** Whether FROM belongs to {@code UPDATE … FROM}: if several rows match one, the engine uses any of them. */
    private boolean isJoinOfUpdate(int from) {
        int depth = 0;
        for (int i = from - 1; i >= 0 && depth >= 0; i--) {
            SqlToken token = tokens.get(i);
            depth += token.is(')') ? 1 : token.is('(') ? -1 : 0;
            if (depth == 0 && (token.is("UPDATE") || token.is("SELECT") || token.is("DELETE"))) {
                return token.is("UPDATE");
            }
        }
        return false;
    }

    /** Whether the engine calculates with the result of the call, which is therefore no text: {@code COALESCE(MAX(A), 0) + 1}. */
    private boolean isNumber(int call) {
        int end = call + 1;
        for (int depth = 1; depth > 0 && end < tokens.size(); ) {
            end++;
            SqlToken token = get(tokens, end);
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
        }
        boolean argument = get(tokens, call - 1).is('(')
                && (get(tokens, call - 2).is("COALESCE")
                        || get(tokens, call - 2).is("VALUE"));
        return isArithmetic(get(tokens, call - 1))
                || isArithmetic(get(tokens, end + 1))
                || (argument && isNumber(call - 2));
    }

    private static boolean isArithmetic(SqlToken token) {
        return token.is('+') || token.is('-') || token.is('*') || token.is('/');
    }

    /** Whether it is a name that its columns follow. */
    private boolean isName(int i) {
        int first = i;
        while (get(tokens, first - 1).is('.') && get(tokens, first - 2).isName()) {
            first -= 2;
        }
        SqlToken before = get(tokens, first - 1);
        return (before.kind() == SqlToken.Kind.WORD && BEFORE_NAMES.contains(before.text()))
                || (index && before.is("ON"));
    }

    /** Whether the word is a type. SQLite takes any word for one: {@code CREATE TABLE t (name TYPE(10))}. */
    private boolean isType(int i) {
        SqlToken before = get(tokens, i - 2);
        return rules.anyWordIsType()
                && get(tokens, 0).is("CREATE")
                && get(tokens, 1).is("TABLE")
                && get(tokens, i - 1).isName()
                && (before.is('(') || before.is(','))
                && get(tokens, i + 2).kind() == SqlToken.Kind.NUMBER
                && tokens.subList(0, i).stream().noneMatch(token -> token.is("SELECT") || token.is("VALUES"))
                && depth(i) == 1;
    }

    private int depth(int at) {
        int depth = 0;
        for (SqlToken token : tokens.subList(0, at)) {
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
        }
        return depth;
    }
}
