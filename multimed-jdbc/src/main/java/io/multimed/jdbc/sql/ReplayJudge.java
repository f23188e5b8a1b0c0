package io.multimed.jdbc.sql;

import static io.multimed.jdbc.sql.Recogniser.get;

import io.multimed.jdbc.sql.Recogniser.Token;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a change means the same when it is executed again on a copy. Looks at each token by itself, as {@link ReadJudge}
 * does: what may be called must be on the engine's list, and no word may stand for the moment, the session, chance or an
 * order that nobody has determined. What is not known is refused.
 */
final class ReplayJudge {
    /** The moment and the session. */
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

    /** Which rows, and in which order, is the engine's choice. */
    private static final Set<String> UNORDERED = Set.of("LIMIT", "OFFSET", "FETCH", "OVER", "TABLESAMPLE");

    private static final Set<String> DERBY = Set.of("CURRENT", "USER", "IDENTITY", "NEXT", "TRIGGER");
    private static final Set<String> SQLITE = Set.of("ROLLBACK", "FAIL", "RETURNING", "VIRTUAL");

    /** What such words would do. */
    private static final Set<String> CONSTRUCTS =
            Set.of("KEY", "CHECK", "DEFAULT", "CONFLICT", "SET", "TEXT", "RAISE", "DATA", "BIT", "TEMPORARY", "STORED");

    /** Behind these a name is that of a table, view or common table expression, with its columns in parentheses. */
    private static final Set<String> BEFORE_NAMES =
            Set.of("INTO", "TABLE", "REFERENCES", "VIEW", "EXISTS", "AS", "WITH", "RECURSIVE");

    /** Of values that are equal and yet not the same, such as texts with and without blanks at the end, the first met stays. */
    private static final Set<String> REPRESENTATIVES = Set.of("DISTINCT", "GROUP", "UNION", "EXCEPT", "INTERSECT");

    private final Dialect dialect;
    private final List<Token> tokens;
    private final boolean index;

    private ReplayJudge(Dialect dialect, List<Token> tokens) {
        this.dialect = dialect;
        this.tokens = tokens;
        this.index = get(tokens, 0).is("CREATE")
                && (get(tokens, 1).is("INDEX") || get(tokens, 2).is("INDEX"));
    }

    /**
     * @return what is in the way, as part of a sentence; null if nothing
     */
    static @Nullable String obstacle(Dialect dialect, List<Token> tokens) {
        ReplayJudge judge = new ReplayJudge(dialect, tokens);
        for (int i = 0; i < tokens.size(); i++) {
            String obstacle = judge.obstacle(i);
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    private @Nullable String obstacle(int i) {
        Token token = tokens.get(i);
        Token following = get(tokens, i + 1);
        switch (token.kind()) {
            case STRANGE:
                return "what stands at position " + (token.start() + 1);
            case QUOTED:
                if (isTemporary(token, following)) {
                    return "\"" + token.text() + "\"";
                }
                return following.is('(') && !isName(i) ? "\"" + token.text() + "\"(…)" : null;
            case SYMBOL:
                return token.is('[') || token.is(']') ? "a name in brackets" : null;
            case WORD:
                return word(i, token.text(), following);
            default:
                return null;
        }
    }

    private @Nullable String word(int i, String word, Token following) {
        if (get(tokens, i - 1).is('.')) {
            // A column or table, whatever it is called.
            return following.is('(') && !isName(i) ? word + "(…)" : null;
        }
        if (UNSTABLE.contains(word) || UNORDERED.contains(word) || own().contains(word)) {
            return word;
        }
        if (dialect == Dialect.DERBY ? isUnstableInDerby(i, word, following) : isUnstableInSqlite(i, word, following)) {
            return word.equals("WITH") ? "WITH " + following.text() : word;
        }
        if (!following.is('(') || dialect.deterministic(word) || CONSTRUCTS.contains(word)) {
            return null;
        }
        // SQLite's DATE(…) is a function, and no type.
        boolean construct = ReadJudge.isConstruct(word) && !dialect.harmless(word);
        return construct || isName(i) || isType(i) ? null : word + "(…)";
    }

    private boolean isUnstableInDerby(int i, String word, Token following) {
        if (word.equals("WITH")) {
            return Set.of("UR", "CS", "RS", "RR").contains(following.text());
        }
        if ((word.equals("MAX") || word.equals("MIN")) && following.is('(')) {
            return !isNumber(i);
        }
        boolean counted = get(tokens, i - 1).is('(') && get(tokens, i - 2).is("COUNT");
        return REPRESENTATIVES.contains(word) && !following.is("ALL") && !counted;
    }

    private boolean isUnstableInSqlite(int i, String word, Token following) {
        return isTemporary(tokens.get(i), following)
                || word.equals("FROM") && !get(tokens, i - 1).is("DISTINCT") && isJoinOfUpdate(i);
    }

    /** Only one session has it. */
    private boolean isTemporary(Token token, Token following) {
        return dialect == Dialect.SQLITE && token.text().equalsIgnoreCase("TEMP") && following.is('.');
    }

    /** {@code UPDATE … FROM}: a row that several match takes any of them. */
    private boolean isJoinOfUpdate(int from) {
        int depth = 0;
        for (int i = from - 1; i >= 0 && depth >= 0; i--) {
            Token token = tokens.get(i);
            depth += token.is(')') ? 1 : token.is('(') ? -1 : 0;
            if (depth == 0 && (token.is("UPDATE") || token.is("SELECT") || token.is("DELETE"))) {
                return token.is("UPDATE");
            }
        }
        return false;
    }

    /** Whether the engine calculates with what is called, which is therefore no text: {@code COALESCE(MAX(A), 0) + 1}. */
    private boolean isNumber(int call) {
        int end = call + 1;
        for (int depth = 1; depth > 0 && end < tokens.size(); ) {
            end++;
            Token token = get(tokens, end);
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
        }
        boolean argument = get(tokens, call - 1).is('(')
                && (get(tokens, call - 2).is("COALESCE")
                        || get(tokens, call - 2).is("VALUE"));
        return isArithmetic(get(tokens, call - 1))
                || isArithmetic(get(tokens, end + 1))
                || argument && isNumber(call - 2);
    }

    private static boolean isArithmetic(Token token) {
        return token.is('+') || token.is('-') || token.is('*') || token.is('/');
    }

    private Set<String> own() {
        return dialect == Dialect.DERBY ? DERBY : SQLITE;
    }

    /** A name with columns behind it. */
    private boolean isName(int i) {
        int first = i;
        while (get(tokens, first - 1).is('.') && get(tokens, first - 2).isName()) {
            first -= 2;
        }
        Token before = get(tokens, first - 1);
        return before.kind() == SqlLexer.Kind.WORD && BEFORE_NAMES.contains(before.text()) || index && before.is("ON");
    }

    /** SQLite takes any word for a type: {@code CREATE TABLE t (name TYPE(10))}. */
    private boolean isType(int i) {
        Token before = get(tokens, i - 2);
        return dialect == Dialect.SQLITE
                && get(tokens, 0).is("CREATE")
                && get(tokens, 1).is("TABLE")
                && get(tokens, i - 1).isName()
                && (before.is('(') || before.is(','))
                && get(tokens, i + 2).kind() == SqlLexer.Kind.NUMBER
                && tokens.subList(0, i).stream().noneMatch(token -> token.is("SELECT") || token.is("VALUES"))
                && depth(i) == 1;
    }

    private int depth(int at) {
        int depth = 0;
        for (Token token : tokens.subList(0, at)) {
            depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
        }
        return depth;
    }
}
