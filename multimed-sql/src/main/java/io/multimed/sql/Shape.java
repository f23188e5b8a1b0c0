package io.multimed.sql;

import java.nio.charset.StandardCharsets;

/**
 * The shape of one statement: its tokens without literal values, white space, comments and letter case, as a keyed 128-bit hash. A
 * {@link Hint} belongs to the shape where hints count. Scratch space of one thread, refilled for every statement; does not allocate.
 */
final class Shape {
    private final Lexer lexer = new Lexer();
    private final KeyedHash hash;
    private final boolean hints;

    private int from;
    private int to;
    private int behind;
    private Verb verb = Verb.NONE;
    private boolean erroneous;
    private boolean empty;
    private int depth;
    private int tokens;
    private boolean literals;

    Shape(long key0, long key1) {
        this(key0, key1, false);
    }

    /** @param hints whether the shape depends on hints */
    Shape(long key0, long key1, boolean hints) {
        hash = new KeyedHash(key0, key1);
        this.hints = hints;
    }

    /** Reads one statement, up to its semicolon or {@code limit}. */
    void read(byte[] sql, int from, int limit) {
        lexer.reset(sql, from, limit);
        hash.reset();
        this.from = from;
        verb = Verb.NONE;
        erroneous = false;
        depth = 0;
        tokens = 0;
        literals = false;
        int open = 0;
        boolean body = false;
        boolean verbSeen = false;
        while (true) {
            int kind = lexer.next();
            if (kind >= Lexer.STRING && kind <= Lexer.PARAMETER && !lexer.isAtEnd()) {
                ShapeReader.skipSame(lexer, kind);
            }
            if (kind == Lexer.EOF || kind == Lexer.ERROR) {
                erroneous = kind == Lexer.ERROR;
                to = limit;
                behind = limit;
                break;
            }
            if (kind == Lexer.PUNCTUATION) {
                int c = lexer.first();
                if (c == ';' && open <= 0 && !body) {
                    to = lexer.start();
                    behind = lexer.end();
                    break;
                }
                if (c == '(' || c == '[') {
                    depth = Math.max(depth, ++open);
                } else if (c == ')' || c == ']') {
                    open--;
                }
                hash.put(c);
            } else {
                int start = lexer.start();
                int end = lexer.end();
                if (!verbSeen) {
                    verbSeen = true;
                    if (kind == Lexer.WORD) {
                        verb = Verb.of(sql, start, end);
                    }
                }
                // CREATE FUNCTION … BEGIN ATOMIC …; …; END: the end of such a body is not searched for.
                body |= verb == Verb.CREATE && kind == Lexer.WORD && isAtomic(sql, start, end);
                if (kind == Lexer.WORD || kind == Lexer.QUOTED || kind == Lexer.OPERATOR) {
                    hash.putName(kind, sql, start, end, kind == Lexer.WORD);
                } else {
                    hash.put(kind);
                    literals = true;
                }
            }
            tokens++;
        }
        empty = tokens == 0 && !erroneous;
        if (hints && lexer.hint() >= 0) {
            hash.putName(Lexer.EOF, sql, lexer.hint(), Hint.endOfName(sql, lexer.hint(), limit), false);
        }
        hash.finish();
    }

    /** Returns the name in the statement's {@link Hint}; empty if there is none. */
    String hint() {
        int at = lexer.hint();
        byte[] sql = lexer.bytes();
        return at < 0 ? "" : new String(sql, at, Hint.endOfName(sql, at, sql.length) - at, StandardCharsets.US_ASCII);
    }

    private static boolean isAtomic(byte[] sql, int start, int end) {
        if (end - start != 6) {
            return false;
        }
        for (int i = 0; i < 6; i++) {
            if (Verb.FOLDED[sql[start + i] & 0xff] != "atomic".charAt(i)) {
                return false;
            }
        }
        return true;
    }

    long high() {
        return hash.high;
    }

    long low() {
        return hash.low;
    }

    /** Returns the position of the statement's first byte. */
    int from() {
        return from;
    }

    /** Returns the position at which the statement ends, excluding its semicolon. */
    int to() {
        return to;
    }

    /** Returns the position at which the next statement begins. */
    int behind() {
        return behind;
    }

    /** Returns the statement's first word, not counting parentheses before it. */
    Verb verb() {
        return verb;
    }

    /** Whether the statement contains something that is no token. */
    boolean erroneous() {
        return erroneous;
    }

    /** Whether the statement contains no token at all. */
    boolean empty() {
        return empty;
    }

    /** Returns the deepest nesting of parentheses and brackets. */
    int depth() {
        return depth;
    }

    int tokens() {
        return tokens;
    }

    /** Whether the statement contains literals, so that its shape does not determine it completely. */
    boolean literals() {
        return literals;
    }
}
