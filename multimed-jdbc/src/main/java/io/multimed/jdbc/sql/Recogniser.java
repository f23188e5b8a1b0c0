package io.multimed.jdbc.sql;

import io.multimed.jdbc.engine.SqlRules;
import io.multimed.jdbc.sql.SqlLexer.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes a {@link SqlText} from a text. Has no state; any thread. */
final class Recogniser {
    /** Longest text that is recognised. Longer scripts are not written by hand, and recognising one requires reading all of it. */
    private static final int MAX_LENGTH = 1 << 20;

    private final Dialect dialect;
    private final Predicate<String> harmless;
    /** Rules of an engine whose changes are executed again; null for the others. */
    private final @Nullable SqlRules rules;

    Recogniser(Dialect dialect) {
        this.dialect = dialect;
        this.harmless = dialect::harmless;
        this.rules = null;
    }

    Recogniser(SqlRules rules) {
        this.dialect = Dialect.STATEMENTS;
        this.harmless = rules::mayQuery;
        this.rules = rules;
    }

    record Token(Kind kind, String text, char symbol, int start, int end) {
        static final Token END = new Token(Kind.END, "", (char) 0, 0, 0);

        boolean is(String word) {
            return kind == Kind.WORD && text.equals(word);
        }

        boolean is(char c) {
            return kind == Kind.SYMBOL && symbol == c;
        }

        boolean isName() {
            return kind == Kind.WORD || kind == Kind.QUOTED;
        }
    }

    SqlText recognise(String sql) {
        if (sql.length() > MAX_LENGTH) {
            return rules != null
                    ? SqlText.refused(sql, "A statement of more than " + MAX_LENGTH + " characters is not looked into.")
                    : SqlText.of(sql, SqlKind.WRITE);
        }
        SqlLexer lexer = new SqlLexer(sql, dialect);
        List<SqlText> parts = new ArrayList<>();
        List<Token> tokens = new ArrayList<>();
        boolean routine = false;
        boolean odd = false;
        while (true) {
            Kind kind = lexer.next();
            if (kind == Kind.END || lexer.symbol() == ';' && kind == Kind.SYMBOL && !routine) {
                if (!tokens.isEmpty()) {
                    int end = kind == Kind.END ? sql.length() : lexer.start();
                    SqlText part = one(sql.substring(tokens.get(0).start(), end), tokens);
                    // The text has comments that another reader of the text may not take for comments.
                    parts.add(odd && part.isRead() ? SqlText.of(part.sql(), SqlKind.WRITE) : part);
                }
                if (kind == Kind.END) {
                    break;
                }
                tokens = new ArrayList<>();
                continue;
            }
            if (lexer.isComment()) {
                odd = true;
                continue;
            }
            tokens.add(token(lexer, kind));
            // The body of a routine or trigger contains semicolons and ends with the text.
            routine = routine || isRoutine(tokens);
        }
        if (parts.isEmpty()) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        if (parts.size() == 1) {
            SqlText part = parts.get(0);
            return part.in(sql);
        }
        if (dialect == Dialect.POSTGRESQL) {
            return ServerSession.join(sql, parts);
        }
        boolean special =
                rules != null || parts.stream().anyMatch(part -> part.kind().isSpecial());
        return special ? new SqlText(sql, SqlKind.SEVERAL, "", Set.of(), parts) : SqlText.of(sql, SqlKind.WRITE);
    }

    boolean refusesSchema(String name) {
        return rules != null && rules.refuses(name.toUpperCase(Locale.ROOT) + ".");
    }

    /** Returns all tokens, even if they are of several statements. */
    static List<Token> tokens(String sql) {
        SqlLexer lexer = new SqlLexer(sql, Dialect.STATEMENTS);
        List<Token> tokens = new ArrayList<>();
        for (Kind kind = lexer.next(); kind != Kind.END; kind = lexer.next()) {
            tokens.add(token(lexer, kind));
        }
        return tokens;
    }

    private static Token token(SqlLexer lexer, Kind kind) {
        return new Token(kind, lexer.text(), lexer.symbol(), lexer.start(), lexer.end());
    }

    private boolean isRoutine(List<Token> tokens) {
        Token last = tokens.get(tokens.size() - 1);
        return (dialect == Dialect.HSQLDB || rules != null && rules.defines("CREATE TRIGGER"))
                && last.is("BEGIN")
                && tokens.get(0).kind() == Kind.WORD
                && Set.of("CREATE", "ALTER").contains(tokens.get(0).text());
    }

    private SqlText one(String sql, List<Token> tokens) {
        Token first = tokens.get(0);
        if (dialect == Dialect.POSTGRESQL) {
            return ServerSession.recognise(sql, tokens);
        }
        if (rules != null) {
            return repeated(rules, sql, tokens);
        }
        if (first.is('(')) {
            return query(sql, tokens);
        }
        if (first.kind() != Kind.WORD) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        switch (first.text()) {
            case "SELECT", "WITH", "VALUES", "TABLE":
                return query(sql, tokens);
            case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE":
                return SqlText.of(sql, SqlKind.CHANGE);
            case "SHOW":
                return SqlText.of(sql, isMultimed(get(tokens, 1)) ? SqlKind.MULTIMED : SqlKind.WRITE);
            case "SET":
                return isMultimed(get(tokens, 1))
                        ? SqlText.of(sql, SqlKind.MULTIMED)
                        : Settings.recognise(dialect, sql, tokens);
            case "USE":
                return SqlText.named(sql, SqlKind.SETTING, "SCHEMA");
            case "CREATE", "DECLARE":
                return SqlText.of(sql, isLocalTemporary(tokens) ? localTemporary(tokens) : SqlKind.DDL);
            case "ALTER", "DROP", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "ANALYZE", "RENAME", "REFRESH":
                return SqlText.of(sql, isSession(tokens) ? SqlKind.WRITE : SqlKind.DDL);
            case "RUNSCRIPT", "PERFORM", "IMPORT":
                return SqlText.of(sql, SqlKind.OPAQUE);
            case "EXECUTE":
                return SqlText.of(sql, immediate(tokens));
            case "SCRIPT", "PREPARE", "DEALLOCATE":
                return SqlText.of(sql, commits(tokens) ? SqlKind.COMMITTING : SqlKind.WRITE);
            case "CONNECT":
                return SqlText.of(sql, SqlKind.PRIVATE);
            case "SHUTDOWN":
                return SqlText.of(sql, SqlKind.SHUTDOWN);
            default:
                return TransactionControl.recognise(dialect, sql, tokens);
        }
    }

    private SqlText repeated(SqlRules by, String sql, List<Token> tokens) {
        RepeatedStatement statement = new RepeatedStatement(by, sql, tokens);
        Token first = tokens.get(0);
        if (RepeatedStatement.changes(tokens)) {
            return statement.change(SqlKind.CHANGE);
        }
        if (!first.is('(') && !first.is("SELECT") && !first.is("VALUES") && !first.is("WITH")) {
            return statement.recognise();
        }
        SqlText query = query(sql, tokens);
        return query.isRead() ? query : statement.queryOnMaster();
    }

    static Token get(List<Token> tokens, int index) {
        return index >= 0 && index < tokens.size() ? tokens.get(index) : Token.END;
    }

    static boolean isMultimed(Token token) {
        return token.is("MULTIMED");
    }

    /**
     * Whether a table is created that only its session sees. HSQLDB uses DECLARE for it, and both engines hide its rows from other
     * sessions.
     */
    private static boolean isLocalTemporary(List<Token> tokens) {
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
    private SqlKind localTemporary(List<Token> tokens) {
        if (dialect != Dialect.H2) {
            return SqlKind.PRIVATE;
        }
        int depth = 0;
        for (int i = 1; i < tokens.size() && !(depth == 0 && tokens.get(i).is("AS")); i++) {
            Token token = tokens.get(i);
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
    private static boolean isNamed(Token token) {
        return token.is("TABLE") || token.is("EXISTS") || token.is('.');
    }

    /** Whether the statement commits. {@code PREPARE COMMIT} does not: it is the first phase of a two-phase commit. */
    private boolean commits(List<Token> tokens) {
        return dialect == Dialect.H2 && !get(tokens, 1).is("COMMIT");
    }

    /** Whether it is HSQLDB's {@code ALTER SESSION …}. */
    private static boolean isSession(List<Token> tokens) {
        return get(tokens, 1).is("SESSION");
    }

    /**
     * Returns the kind of H2's EXECUTE. {@code EXECUTE IMMEDIATE 'text'} has the kind of its text; any other statement was
     * prepared before, so its kind is unknown.
     */
    private SqlKind immediate(List<Token> tokens) {
        if (get(tokens, 1).is("IMMEDIATE") && get(tokens, 2).kind() == Kind.STRING && tokens.size() == 3) {
            SqlKind inner = recognise(tokens.get(2).text().replace("''", "'")).kind();
            if (!inner.isSpecial()) {
                return SqlKind.WRITE;
            }
            return inner == SqlKind.DDL ? SqlKind.DDL : SqlKind.OPAQUE;
        }
        return SqlKind.OPAQUE;
    }

    private SqlText query(String sql, List<Token> tokens) {
        if (!ReadJudge.isHarmless(harmless, tokens)) {
            return SqlText.of(sql, SqlKind.WRITE);
        }
        Set<String> identifiers = new HashSet<>();
        for (Token token : tokens) {
            if (token.isName()) {
                identifiers.add(token.text().toUpperCase(java.util.Locale.ROOT));
            }
        }
        return new SqlText(sql, SqlKind.READ, "", Set.copyOf(identifiers), List.of());
    }
}
