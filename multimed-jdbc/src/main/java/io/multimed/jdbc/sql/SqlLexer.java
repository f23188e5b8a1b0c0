package io.multimed.jdbc.sql;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The lexical rules that H2 and HSQLDB share. Where they differ from each other, or from one compatibility mode to the
 * next, the token is {@link Kind#STRANGE}: what is not understood runs on the Master.
 *
 * <p>One text, one thread, once.
 */
final class SqlLexer {
    enum Kind {
        END,
        /** A word without quotes, {@link #text()} in upper case. */
        WORD,
        /** An identifier in double quotes, {@link #text()} without them. */
        QUOTED,
        STRING,
        NUMBER,
        /** One character of punctuation or of an operator: {@link #symbol()}. */
        SYMBOL,
        STRANGE
    }

    /** Hexadecimal, with an exponent, or with a letter for its type or unit. */
    private static final Pattern LETTERED_NUMBER = Pattern.compile("(?i)0x[0-9a-f_]+|[0-9._]+(?:e[+-]?[0-9]+)?[a-z]?");

    private final String sql;
    private int position;
    private int start;
    private char symbol;
    private String text = "";

    SqlLexer(String sql) {
        this.sql = sql;
    }

    /** Where the token just read begins. */
    int start() {
        return start;
    }

    /** Behind the token just read. */
    int end() {
        return position;
    }

    String text() {
        return text;
    }

    char symbol() {
        return symbol;
    }

    Kind next() {
        text = "";
        symbol = 0;
        if (!skipBlank()) {
            start = position;
            position = sql.length();
            return Kind.STRANGE;
        }
        start = position;
        if (position >= sql.length()) {
            return Kind.END;
        }
        char c = sql.charAt(position);
        if (c == '\'') {
            return string();
        }
        if (c == '"') {
            return quoted();
        }
        if (isWordStart(c)) {
            return word();
        }
        if (c >= '0' && c <= '9' || c == '.' && isDigit(position + 1)) {
            return number();
        }
        position++;
        symbol = c;
        // A dollar quotes text, an at sign names a variable, a backtick an identifier, a hash a comment or an operator.
        return c == '$' || c == '`' || c == '@' || c == '#' || c == '\\' || c > '~' || c < ' '
                ? Kind.STRANGE
                : Kind.SYMBOL;
    }

    private char at(int index) {
        return index < sql.length() ? sql.charAt(index) : 0;
    }

    private boolean isDigit(int index) {
        char c = at(index);
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c > '~' && Character.isLetter(c);
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || c >= '0' && c <= '9' || c == '$' || c == '#' || c == '@';
    }

    /** False at a comment whose end depends on the engine, or that has none. */
    private boolean skipBlank() {
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (c <= ' ' || c > '~' && Character.isWhitespace(c)) {
                position++;
            } else if (c == '-' && at(position + 1) == '-') {
                while (position < sql.length() && at(position) != '\n' && at(position) != '\r') {
                    position++;
                }
                if (at(position) == '\r' && position + 1 < sql.length() && at(position + 1) != '\n') {
                    // To SQLite the comment goes on.
                    return false;
                }
            } else if (c == '/' && at(position + 1) == '*') {
                int close = sql.indexOf("*/", position + 2);
                int nested = sql.indexOf("/*", position + 2);
                if (close < 0 || nested >= 0 && nested < close) {
                    return false;
                }
                position = close + 2;
            } else if (c == '/' && at(position + 1) == '/') {
                return false;
            } else {
                return true;
            }
        }
        return true;
    }

    private Kind string() {
        int i = position + 1;
        while (true) {
            int close = sql.indexOf('\'', i);
            if (close < 0) {
                position = sql.length();
                return Kind.STRANGE;
            }
            if (at(close + 1) != '\'') {
                text = sql.substring(position + 1, close);
                position = close + 1;
                return Kind.STRING;
            }
            i = close + 2;
        }
    }

    private Kind quoted() {
        int close = sql.indexOf('"', position + 1);
        if (close < 0 || at(close + 1) == '"') {
            position = close < 0 ? sql.length() : close + 2;
            return Kind.STRANGE;
        }
        text = sql.substring(position + 1, close);
        position = close + 1;
        return Kind.QUOTED;
    }

    private Kind word() {
        int i = position + 1;
        while (i < sql.length() && isWordPart(sql.charAt(i))) {
            i++;
        }
        text = sql.substring(position, i).toUpperCase(Locale.ROOT);
        position = i;
        if (at(i) == '\'' && text.length() <= 1 || text.equals("U") && at(i) == '&') {
            if (at(i) == '&') {
                position++;
            }
            // N'…', X'…', B'…', E'…', U&'…': their closing quote is found as that of any other string.
            if (at(position) == '\'') {
                return text.equals("E") || text.equals("Q") ? Kind.STRANGE : string();
            }
            return Kind.STRANGE;
        }
        return Kind.WORD;
    }

    private Kind number() {
        int i = position;
        boolean letters = false;
        while (isDigit(i) || at(i) == '.' || isWordPart(at(i)) || isSign(i)) {
            letters |= isWordStart(at(i));
            i++;
        }
        String number = sql.substring(position, i);
        position = i;
        // Else a word begins in the middle of it, for some engines: 1FETCH.
        return !letters || LETTERED_NUMBER.matcher(number).matches() ? Kind.NUMBER : Kind.STRANGE;
    }

    /** The sign of an exponent. */
    private boolean isSign(int i) {
        char before = at(i - 1);
        return i > position && (at(i) == '+' || at(i) == '-') && (before == 'e' || before == 'E') && isDigit(i + 1);
    }
}
