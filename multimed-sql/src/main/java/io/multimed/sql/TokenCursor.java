package io.multimed.sql;

/** A place among the tokens of one statement, from which a parser reads on. */
final class TokenCursor {
    private final Tokens tokens;
    private int next;

    TokenCursor(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Returns the token {@code ahead} of the next one; {@link Token#END} behind the last. */
    Token peek(int ahead) {
        return tokens.get(next + ahead);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token take() {
        return tokens.get(next++);
    }

    /** Takes the next token if it is this keyword. */
    boolean accept(String word) {
        if (peek().is(word)) {
            next++;
            return true;
        }
        return false;
    }

    /** Takes the next two tokens if they are these keywords. */
    boolean accept(String first, String second) {
        if (peek().is(first) && peek(1).is(second)) {
            next += 2;
            return true;
        }
        return false;
    }

    /** Takes a list in parentheses if one is next. */
    void acceptParentheses() {
        if (peek().is('(')) {
            next = tokens.closing(next) + 1;
        }
    }

    int position() {
        return next;
    }

    void position(int position) {
        next = position;
    }

    void skip(int count) {
        next += count;
    }

    /** Takes all tokens but the last {@code remaining}. */
    void skipToEnd(int remaining) {
        next = tokens.size() - remaining;
    }

    boolean isAtEnd() {
        return next >= tokens.size();
    }

    Tokens tokens() {
        return tokens;
    }
}
