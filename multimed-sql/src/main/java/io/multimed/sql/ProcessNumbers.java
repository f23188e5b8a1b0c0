package io.multimed.sql;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces relations and functions about server processes in a client's SQL, so that they use the numbers that clients know
 * ({@link ProcessNumberSql}). Applies to queries and changes of data only, because a definition outlives the session. A name in an
 * unusual place is left as it is. One instance serves one text.
 */
public final class ProcessNumbers {
    private static final Set<String> VERBS =
            Set.of("select", "with", "values", "insert", "update", "delete", "merge", "copy", "declare", "explain");
    private static final Set<String> ENDS_OF_FROM = Set.of(
            "select",
            "where",
            "group",
            "having",
            "order",
            "limit",
            "offset",
            "fetch",
            "for",
            "window",
            "union",
            "except",
            "intersect",
            "returning",
            "set",
            "values",
            "when");

    /** Part of a query, as far as it decides whether a relation may stand at a token. */
    private enum Clause {
        OTHER,
        FROM,
        /** A condition of a join. A comma continues FROM. */
        ON
    }

    private final byte[] sql;
    private final Tokens tokens;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Deque<Clause> outer = new ArrayDeque<>();
    private Clause clause = Clause.OTHER;
    private int copied;
    /** Pending replacements at the ends of arguments, the next one first. */
    private final Deque<Pending> pending = new ArrayDeque<>();

    /** Replacement for the token at an index. */
    private record Pending(int index, String replacement) {}

    private ProcessNumbers(byte[] sql) {
        this.sql = sql;
        tokens = Tokens.complete(sql, 0, sql.length);
    }

    /**
     * Returns the SQL with its replacements; null if nothing was replaced, for example because the text already contains
     * replacements.
     */
    public static byte @Nullable [] replaceIn(byte[] sql) {
        if (new String(sql, StandardCharsets.ISO_8859_1).contains(ProcessNumberSql.REPLACED)) {
            return null;
        }
        ProcessNumbers numbers = new ProcessNumbers(sql);
        return numbers.tokens.erroneous() ? null : numbers.replace();
    }

    private byte @Nullable [] replace() {
        boolean inStatement = false;
        boolean suitable = false;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is(';') && outer.isEmpty()) {
                inStatement = false;
                clause = Clause.OTHER;
                continue;
            }
            if (!inStatement && !token.is('(')) {
                inStatement = true;
                suitable = VERBS.contains(token.text()) && token.kind() == Lexer.WORD;
            }
            Pending next = pending.peek();
            if (next != null && next.index() == i) {
                pending.pop();
                segment(i, i, next.replacement());
            }
            follow(i, token);
            if (suitable && token.isIdentifier() && ProcessNames.of(token.text()) != Processes.NONE) {
                replace(i, token.text());
            }
        }
        if (copied == 0) {
            return null;
        }
        out.write(sql, copied, sql.length - copied);
        return out.toByteArray();
    }

    private void follow(int i, Token token) {
        if (token.is('(')) {
            outer.push(clause);
            clause = clause == Clause.FROM && !tokens.get(i - 1).isIdentifier() ? Clause.FROM : Clause.OTHER;
        } else if (token.is(')') && !outer.isEmpty()) {
            clause = outer.pop();
        } else if (token.is(',') && clause == Clause.ON) {
            clause = Clause.FROM;
        } else if (token.kind() == Lexer.WORD) {
            String word = token.text();
            if ((word.equals("from") && !tokens.get(i - 1).is("distinct"))
                    || word.equals("join")
                    || (word.equals("using") && !tokens.get(i + 1).is('('))) {
                clause = Clause.FROM;
            } else if (word.equals("on") && clause == Clause.FROM) {
                clause = Clause.ON;
            } else if (ENDS_OF_FROM.contains(word)) {
                clause = Clause.OTHER;
            }
        }
    }

    private void replace(int i, String name) {
        boolean qualified = tokens.get(i - 1).is('.');
        if (qualified
                && !(tokens.get(i - 2).isIdentifier()
                        && tokens.get(i - 2).text().equals("pg_catalog"))) {
            return;
        }
        int first = qualified ? i - 2 : i;
        Token before = tokens.get(first - 1);
        boolean amongRelations = clause == Clause.FROM
                && (before.is("from") || before.is("join") || before.is("using") || before.is(',') || before.is('('));
        if (tokens.get(i + 1).is('(')) {
            if (!amongRelations && !before.is('.')) {
                function(first, i, name);
            }
        } else if (amongRelations
                && ProcessNames.isRelation(name)
                && !tokens.get(i + 1).is('.')) {
            boolean named = tokens.get(i + 1).is("as") || isAlias(tokens.get(i + 1));
            segment(first, i, ProcessNumberSql.relation(name) + (named ? "" : " AS " + name));
        }
    }

    private static boolean isAlias(Token token) {
        return token.kind() == Lexer.QUOTED
                || (token.kind() == Lexer.WORD
                        && !KeyWords.isReserved(token.text())
                        && !KeyWords.TYPE_OR_FUNCTION.contains(token.text()));
    }

    private void function(int first, int i, String name) {
        int open = i + 1;
        int close = tokens.closing(open);
        if (close >= tokens.size()) {
            return;
        }
        if (name.equals(ProcessNames.OWN)) {
            if (close == open + 1) {
                segment(first, close, ProcessNumberSql.ownNumber());
            }
            return;
        }
        int comma = comma(open, close);
        if (close == open + 1 || comma < 0 || (comma > 0 && !name.equals("pg_terminate_backend"))) {
            return;
        }
        if (comma == 0) {
            segment(first, open, ProcessNumberSql.beforeArguments(name));
            pending.push(new Pending(close, ProcessNumberSql.behindArgument(name)));
        } else {
            segment(first, open, ProcessNumberSql.beforeTwoArguments(name));
            pending.push(new Pending(close, ProcessNumberSql.behindTwoArguments()));
            pending.push(new Pending(comma, ProcessNumberSql.betweenArguments()));
        }
    }

    /** Returns the index of the only comma between the arguments; 0 if there is none, -1 if the arguments have another form. */
    private int comma(int open, int close) {
        int comma = 0;
        for (int i = open + 1; i < close; i++) {
            Token token = tokens.get(i);
            if (token.is('(') || token.is('[')) {
                i = tokens.closing(i);
            } else if (token.is(',')) {
                if (comma > 0) {
                    return -1;
                }
                comma = i;
            } else if ((token.kind() == Lexer.OPERATOR
                            && (token.text().equals("=>") || token.text().equals(":=")))
                    || token.is("variadic")) {
                return -1;
            }
        }
        return comma;
    }

    /** Replaces a range of tokens. */
    private void segment(int from, int to, String replacement) {
        int start = tokens.get(from).start();
        int end = tokens.get(to).end();
        out.write(sql, copied, start - copied);
        write(ProcessNumberSql.REPLACED);
        out.write(sql, start, end - start);
        write("*/" + replacement + ProcessNumberSql.REPLACEMENT_ENDS);
        copied = end;
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.write(bytes, 0, bytes.length);
    }
}
