package io.multimed.sql;

/**
 * The tokens that make up a statement's shape. They are the lexer's tokens, but only the first of a list of literals of one kind,
 * so that {@code IN (1, 2, 3)} and {@code IN (1, 2)} have the same shape. One thread at a time.
 */
final class ShapeReader {
    private final Lexer lexer = new Lexer();

    void reset(byte[] sql, int from, int limit) {
        lexer.reset(sql, from, limit);
    }

    /** Returns the lexer, which has the position of the token just read. */
    Lexer lexer() {
        return lexer;
    }

    int next() {
        int kind = lexer.next();
        if (kind >= Lexer.STRING && kind <= Lexer.PARAMETER) {
            skipSame(kind);
        }
        return kind;
    }

    /** Skips {@code , literal} as long as a comma or a closing parenthesis follows it. */
    private void skipSame(int kind) {
        int accepted = lexer.position();
        while (lexer.isPunctuation(lexer.next(), ',') && lexer.next() == kind) {
            int behindLiteral = lexer.position();
            int following = lexer.next();
            if (lexer.isPunctuation(following, ')')) {
                accepted = behindLiteral;
                break;
            }
            if (!lexer.isPunctuation(following, ',')) {
                break;
            }
            accepted = behindLiteral;
            lexer.position(behindLiteral);
        }
        lexer.position(accepted);
    }
}
