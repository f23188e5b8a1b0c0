package io.multimed.sql;

/**
 * The tokens that make up a statement's shape. They are the lexer's tokens, but only the first of a list of literals of one kind,
 * so that {@code IN (1, 2, 3)} and {@code IN (1, 2)} have the same shape.
 */
final class ShapeReader {
    private ShapeReader() {}

    /** Reads the next of these tokens. The lexer then has its position. */
    static int next(Lexer lexer) {
        int kind = lexer.next();
        if (kind >= Lexer.STRING && kind <= Lexer.PARAMETER && !lexer.isAtEnd()) {
            skipSame(lexer, kind);
        }
        return kind;
    }

    /** Skips {@code , literal} as long as a comma or a closing parenthesis follows it. */
    static void skipSame(Lexer lexer, int kind) {
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
