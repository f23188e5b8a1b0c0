package io.multimed.sql.mysql;

/**
 * A token.
 *
 * @param text of a word in capital letters, of a quoted name without quotes, of anything else a placeholder
 * @param raw a word as it was written; {@link #CALL} for a parenthesis right behind a word
 */
record MysqlToken(Kind kind, String text, String raw) {
    /** Without a space before it: with one, the name may be that of a stored function. */
    static final String CALL = " (";

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        SYMBOL
    }

    boolean is(String symbolOrWord) {
        return (kind == Kind.SYMBOL || kind == Kind.WORD) && text.equals(symbolOrWord);
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }
}
