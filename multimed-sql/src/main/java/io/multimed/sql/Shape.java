package io.multimed.sql;

/**
 * One statement's shape: its tokens without literal values, white space, comments and letter case, as a keyed 128-bit
 * hash. Scratch space of one thread, filled anew for every statement; does not allocate.
 */
final class Shape {
    /** Ends identifiers and operators among the hashed bytes; none of them contains it. */
    private static final int TERMINATOR = 0;

    private final ShapeReader reader = new ShapeReader();
    private final KeyedHash hash;

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
        hash = new KeyedHash(key0, key1);
    }

    /** Reads one statement, up to its semicolon or {@code limit}. */
    void read(byte[] sql, int from, int limit) {
        reader.reset(sql, from, limit);
        hash.reset();
        this.from = from;
        verb = Verb.NONE;
        erroneous = false;
        depth = 0;
        tokens = 0;
        literals = false;
        Lexer lexer = reader.lexer();
        int open = 0;
        boolean body = false;
        boolean verbSeen = false;
        while (true) {
            int kind = reader.next();
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
                if (!verbSeen) {
                    verbSeen = true;
                    if (kind == Lexer.WORD) {
                        verb = Verb.of(sql, lexer.start(), lexer.end());
                    }
                }
                // CREATE FUNCTION … BEGIN ATOMIC …; …; END: nobody looks for where it ends.
                body |= verb == Verb.CREATE && kind == Lexer.WORD && isAtomic(sql, lexer);
                put(kind, sql, lexer);
            }
            tokens++;
        }
        empty = tokens == 0 && !erroneous;
        hash.finish();
    }

    private static boolean isAtomic(byte[] sql, Lexer lexer) {
        if (lexer.end() - lexer.start() != 6) {
            return false;
        }
        for (int i = 0; i < 6; i++) {
            if (Verb.fold(sql[lexer.start() + i]) != "atomic".charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void put(int kind, byte[] sql, Lexer lexer) {
        hash.put(kind);
        literals |= kind >= Lexer.STRING && kind <= Lexer.PARAMETER;
        if (kind == Lexer.WORD || kind == Lexer.QUOTED || kind == Lexer.OPERATOR) {
            hash.put(sql, lexer.start(), lexer.end(), kind == Lexer.WORD);
            hash.put(TERMINATOR);
        }
    }

    long high() {
        return hash.high();
    }

    long low() {
        return hash.low();
    }

    /** The statement's bytes. */
    int from() {
        return from;
    }

    /** Where the statement ends, its semicolon excluded. */
    int to() {
        return to;
    }

    /** Where the next statement begins. */
    int behind() {
        return behind;
    }

    /** Its first word, parentheses before it left out. */
    Verb verb() {
        return verb;
    }

    /** Whether it holds something that is no token. */
    boolean erroneous() {
        return erroneous;
    }

    /** Whether it holds no token at all. */
    boolean empty() {
        return empty;
    }

    /** How deeply parentheses and brackets nest. */
    int depth() {
        return depth;
    }

    int tokens() {
        return tokens;
    }

    /** Whether it holds literals, so that its shape does not tell everything about it. */
    boolean literals() {
        return literals;
    }
}
