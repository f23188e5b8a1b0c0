package io.multimed.sql;

/**
 * One token of a statement that is analysed in detail.
 *
 * @param kind as in {@link Lexer}
 * @param text a word in lower case, a quoted identifier without its quotes, an operator, a punctuation character; empty for
 *     literals
 * @param start position of its first byte; for a literal, exact only in {@link Tokens#complete}
 * @param end position behind its last byte; for a literal, exact only in {@link Tokens#complete}
 */
record Token(int kind, String text, int start, int end) {
    static final Token END = new Token(Lexer.EOF, "", 0, 0);

    boolean is(char punctuation) {
        return kind == Lexer.PUNCTUATION && text.charAt(0) == punctuation;
    }

    /** Whether the token is this unquoted word, given in lower case. */
    boolean is(String word) {
        return kind == Lexer.WORD && text.equals(word);
    }

    boolean isIdentifier() {
        return kind == Lexer.WORD || kind == Lexer.QUOTED;
    }

    /** Whether the token is an identifier that is no key word. */
    boolean isPlainName() {
        return kind == Lexer.QUOTED || (kind == Lexer.WORD && !KeyWords.isKeyWord(text));
    }

    boolean isLiteral() {
        return kind >= Lexer.STRING && kind <= Lexer.PARAMETER;
    }
}
