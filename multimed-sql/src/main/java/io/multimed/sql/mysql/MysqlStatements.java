package io.multimed.sql.mysql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Examines texts. */
public final class MysqlStatements {
    private static final Set<String> HARMLESS_BEGINNINGS = Set.of(
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "REPLACE",
            "SET",
            "BEGIN",
            "START",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT",
            "RELEASE",
            "SHOW",
            "USE",
            "CREATE",
            "ALTER",
            "DROP",
            "TRUNCATE",
            "DESC",
            "DESCRIBE",
            "EXPLAIN",
            "WITH",
            "VALUES",
            "TABLE",
            "ANALYZE",
            "DO",
            "CALL",
            "LOAD",
            "GRANT",
            "REVOKE",
            "KILL",
            "OPTIMIZE",
            "CHECK",
            "RENAME",
            "DEALLOCATE",
            "(",
            "HELP");

    /** First words of statements that leave nothing in the session by themselves but what the server tells. */
    private static final Set<String> LEAVE_NOTHING = Set.of(
            "SELECT",
            "WITH",
            "(",
            "INSERT",
            "REPLACE",
            "UPDATE",
            "DELETE",
            "SET",
            "USE",
            "SHOW",
            "DESC",
            "DESCRIBE",
            "EXPLAIN",
            "BEGIN",
            "START",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT",
            "RELEASE",
            "KILL",
            "CREATE",
            "ALTER",
            "DROP",
            "TRUNCATE");

    /** Words of statements after which the session knows something that no other connection can be told. */
    private static final Set<String> LEAVE_SOMETHING = Set.of(
            "SQL_CALC_FOUND_ROWS",
            "TEMPORARY",
            "CONNECTION_ID",
            "PSEUDO_THREAD_ID",
            "LAST_GTID",
            "NEXTVAL",
            "PROFILE",
            "PROFILES");

    private static final Set<String> LAST_STATEMENT = Set.of(
            "FOUND_ROWS",
            "ROW_COUNT",
            "WARNINGS",
            "ERRORS",
            "DIAGNOSTICS",
            "WARNING_COUNT",
            "ERROR_COUNT",
            "PROFILE",
            "PROFILES");

    /** First words of statements that the server refuses in a transaction that is READ ONLY, unless the tables are temporary. */
    private static final Set<String> REFUSED_IN_READ_ONLY =
            Set.of("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME");

    /** First words of statements that read no rows of tables, without a query or a function in them. */
    private static final Set<String> WITHOUT_ROWS = Set.of(
            "SELECT",
            "SET",
            "USE",
            "SHOW",
            "DESC",
            "DESCRIBE",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT",
            "RELEASE",
            "BEGIN",
            "START",
            "KILL");

    private static final Set<String> LAST_STATEMENT_FUNCTIONS = Set.of("FOUND_ROWS", "ROW_COUNT");
    private static final int LONGEST_SHAPE = 8192;

    private MysqlStatements() {}

    /**
     * Examines a text.
     *
     * @param text one char for each byte
     */
    public static MysqlStatement examine(String text, boolean ansiQuotes, boolean noBackslash) {
        return examine(text, ansiQuotes, noBackslash, false);
    }

    /**
     * Examines the text of a statement that is to be prepared, in which question marks stand for values.
     *
     * @param text one char for each byte
     */
    public static MysqlStatement examinePrepared(String text, boolean ansiQuotes, boolean noBackslash) {
        return examine(text, ansiQuotes, noBackslash, true);
    }

    private static MysqlStatement examine(
            String text, boolean ansiQuotes, boolean noBackslash, boolean mayHaveParameters) {
        MysqlLexer lexer = new MysqlLexer(text, ansiQuotes, noBackslash);
        List<MysqlToken> tokens = lexer.tokens();
        boolean pins = false;
        boolean begins = true;
        boolean several = false;
        boolean kills = false;
        boolean last = false;
        boolean selects = false;
        boolean variables = false;
        boolean transaction = false;
        boolean tracking = false;
        boolean calls = false;
        boolean leaves = false;
        for (int i = 0; i < tokens.size(); i++) {
            MysqlToken token = tokens.get(i);
            if (begins && !token.is(";")) {
                several |= i > 0 && !onlySeparators(tokens, i);
                pins |= !HARMLESS_BEGINNINGS.contains(token.text());
                pins |= token.is("SET")
                        && i + 1 < tokens.size()
                        && tokens.get(i + 1).is("ROLE");
                pins |= !HARMLESS_BEGINNINGS.contains(prefixed(tokens, i).text());
                begins = false;
            } else if (token.is(";")) {
                begins = true;
            }
            if (token.kind() == MysqlToken.Kind.WORD) {
                String word = token.text();
                pins |= word.equals("TEMPORARY");
                kills |= word.equals("KILL");
                last |= LAST_STATEMENT.contains(word);
                selects |= word.equals("SELECT");
                leaves |= LEAVE_SOMETHING.contains(word);
                transaction |= word.equals("TRANSACTION") && !(i > 0 && isScope(tokens.get(i - 1)));
            }
            tracking |= token.isName() && token.text().toUpperCase(Locale.ROOT).startsWith("SESSION_TRACK_");
            variables |=
                    token.is("@") && i + 1 < tokens.size() && tokens.get(i + 1).is("@");
            boolean isCall = token.is("(") && i > 0 && tokens.get(i - 1).isName() && !isReviewed(tokens, i - 1);
            calls |= isCall;
            leaves |= isCall && !isListOfColumns(tokens, i - 1) && !asksTheSession(tokens, i - 1);
            leaves |= token.is("@") && !isAt(tokens, i - 1) && !isAt(tokens, i + 1);
            leaves |= token.is("NEXT")
                    && i + 1 < tokens.size()
                    && tokens.get(i + 1).is("VALUE");
            leaves |= token.is("=") && i > 0 && tokens.get(i - 1).is(":");
        }
        leaves |= tokens.size() > 1
                && ((tokens.get(0).is("SET")
                                && (tokens.get(1).is("STATEMENT")
                                        || tokens.get(1).is("PASSWORD")))
                        || (tokens.get(0).is("ALTER") && tokens.get(1).is("USER")));
        boolean sets = !tokens.isEmpty() && tokens.get(0).is("SET");
        boolean uses = !tokens.isEmpty() && tokens.get(0).is("USE");
        boolean explained = !several
                && !lexer.isStrange()
                && ((!selects && !calls && (sets || uses)) || drawsFromSequences(tokens));
        @Nullable
        Set<String> tables =
                several || lexer.isStrange() ? null : new TablesOfQuery(tokens, mayHaveParameters).tables();
        String shape = tables == null ? "" : shape(tokens);
        boolean read = tables != null && shape.length() <= LONGEST_SHAPE;
        return new MysqlStatement(
                read,
                read ? shape : "",
                tables == null || !read ? Set.of() : Set.copyOf(tables),
                explained,
                pins,
                kills,
                last,
                sets && (transaction || variables),
                tracking,
                several || lexer.isStrange() ? MysqlStatement.Boundary.NONE : boundary(tokens),
                !several
                        && !lexer.isStrange()
                        && !pins
                        && !leaves
                        && !(sets && (selects || calls))
                        && !tokens.isEmpty()
                        && LEAVE_NOTHING.contains(tokens.get(0).text()),
                !several && !lexer.isStrange() && !pins && readsNoRows(tokens));
    }

    /** Returns the first word of the statement behind {@code SET STATEMENT ... FOR}; that of the statement itself if it begins otherwise. */
    private static MysqlToken prefixed(List<MysqlToken> tokens, int begin) {
        if (!tokens.get(begin).is("SET")
                || begin + 1 >= tokens.size()
                || !tokens.get(begin + 1).is("STATEMENT")) {
            return tokens.get(begin);
        }
        for (int i = begin + 2; i + 1 < tokens.size(); i++) {
            if (tokens.get(i).is("FOR")) {
                return prefixed(tokens, i + 1);
            }
        }
        return tokens.get(begin);
    }

    private static boolean isAt(List<MysqlToken> tokens, int index) {
        return index >= 0 && index < tokens.size() && tokens.get(index).is("@");
    }

    /** Whether the parenthesis behind the name begins a list of columns or values, and no call. */
    private static boolean isListOfColumns(List<MysqlToken> tokens, int index) {
        MysqlToken name = tokens.get(index);
        if (name.is("VALUES") || name.is("VALUE")) {
            return true;
        }
        int before = index - 1;
        if (before >= 1 && tokens.get(before).is(".") && tokens.get(before - 1).isName()) {
            before -= 2;
        }
        return before >= 0 && tokens.get(before).is("INTO");
    }

    private static MysqlStatement.Boundary boundary(List<MysqlToken> tokens) {
        if (tokens.isEmpty()) {
            return MysqlStatement.Boundary.NONE;
        }
        boolean hasSnapshot = tokens.stream().anyMatch(token -> token.is("SNAPSHOT"));
        return switch (tokens.get(0).text()) {
            case "BEGIN", "START" ->
                hasSnapshot ? MysqlStatement.Boundary.STARTS_WITH_SNAPSHOT : MysqlStatement.Boundary.STARTS;
            case "COMMIT" -> MysqlStatement.Boundary.ENDS;
            case "ROLLBACK" ->
                tokens.stream().anyMatch(token -> token.is("TO"))
                        ? MysqlStatement.Boundary.NONE
                        : MysqlStatement.Boundary.ENDS;
            default -> MysqlStatement.Boundary.NONE;
        };
    }

    /**
     * Whether it is a query for the next values of sequences alone, {@code SELECT NEXT VALUE FOR a, NEXTVAL(b)}. The server tells of the GTID
     * of a value that it writes to the binary log as it tells of any change, at the end of rows without saying what has changed.
     */
    private static boolean drawsFromSequences(List<MysqlToken> tokens) {
        int at = is(tokens, 0, "SELECT") ? 1 : -1;
        while (at > 0) {
            boolean isCall = is(tokens, at, "NEXTVAL") && is(tokens, at + 1, "(");
            if (!isCall && !(is(tokens, at, "NEXT") && is(tokens, at + 1, "VALUE") && is(tokens, at + 2, "FOR"))) {
                return false;
            }
            at = behindName(tokens, at + (isCall ? 2 : 3));
            if (isCall) {
                at = is(tokens, at, ")") ? at + 1 : -1;
            }
            if (at < 0 || at == tokens.size() || is(tokens, at, ";")) {
                return at > 0;
            }
            at = is(tokens, at, ",") ? at + 1 : -1;
        }
        return false;
    }

    private static boolean is(List<MysqlToken> tokens, int index, String text) {
        return index >= 0 && index < tokens.size() && tokens.get(index).is(text);
    }

    /** Returns the index behind a name, with or without that of a database; -1 if there is none. */
    private static int behindName(List<MysqlToken> tokens, int index) {
        if (index >= tokens.size() || !tokens.get(index).isName()) {
            return -1;
        }
        return is(tokens, index + 1, ".") ? behindName(tokens, index + 2) : index + 1;
    }

    private static boolean readsNoRows(List<MysqlToken> tokens) {
        if (tokens.isEmpty()) {
            return true;
        }
        String first = tokens.get(0).text();
        if (REFUSED_IN_READ_ONLY.contains(first)) {
            return true;
        }
        if (!WITHOUT_ROWS.contains(first)) {
            return false;
        }
        for (int i = 1; i < tokens.size(); i++) {
            MysqlToken token = tokens.get(i);
            boolean isCall = token.is("(") && tokens.get(i - 1).isName();
            if ((isCall && !isReviewed(tokens, i - 1) && !isOfTheSession(tokens, i - 1))
                    || token.is("SELECT")
                    || token.is("VALUES")
                    || (first.equals("SELECT") && (token.is("FROM") || token.is("TABLE")))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a built-in function is called that asks for what the session has. */
    private static boolean isOfTheSession(List<MysqlToken> tokens, int index) {
        return MysqlFunctions.OF_THE_SESSION.contains(tokens.get(index).text())
                && tokens.get(index).kind() == MysqlToken.Kind.WORD
                && !(index > 0 && tokens.get(index - 1).is("."))
                && tokens.get(index + 1).raw().equals(MysqlToken.CALL);
    }

    /** Whether a built-in function without arguments is called that asks for what the session has. */
    private static boolean asksTheSession(List<MysqlToken> tokens, int index) {
        return isOfTheSession(tokens, index)
                && index + 2 < tokens.size()
                && tokens.get(index + 2).is(")");
    }

    /** Whether a setting of transactions behind the word is for more than the next one. */
    private static boolean isScope(MysqlToken token) {
        return token.is("SESSION") || token.is("LOCAL") || token.is("GLOBAL");
    }

    private static boolean onlySeparators(List<MysqlToken> tokens, int before) {
        for (int i = 0; i < before; i++) {
            if (!tokens.get(i).is(";")) {
                return false;
            }
        }
        return true;
    }

    /** Whether the call of a function at {@code index} is known to have no effect. */
    static boolean isReviewed(List<MysqlToken> tokens, int index) {
        MysqlToken name = tokens.get(index);
        boolean qualified = index > 0 && tokens.get(index - 1).is(".");
        return name.kind() == MysqlToken.Kind.WORD
                && !qualified
                && ((MysqlFunctions.REVIEWED.contains(name.text())
                                && tokens.get(index + 1).raw().equals(MysqlToken.CALL))
                        || MysqlFunctions.WORDS.contains(name.text())
                        || LAST_STATEMENT_FUNCTIONS.contains(name.text()));
    }

    private static String shape(List<MysqlToken> tokens) {
        StringBuilder shape = new StringBuilder();
        for (MysqlToken token : tokens) {
            if (token.kind() == MysqlToken.Kind.QUOTED_NAME) {
                shape.append('`').append(token.raw()).append("` ");
            } else if (token.is(";")) {
                break;
            } else {
                shape.append(token.raw()).append(token.is(".") || token.is("@") || isOperator(token) ? "" : " ");
            }
        }
        return shape.toString();
    }

    private static boolean isOperator(MysqlToken token) {
        return token.kind() == MysqlToken.Kind.SYMBOL && "<>!|&:=-".contains(token.text());
    }
}
