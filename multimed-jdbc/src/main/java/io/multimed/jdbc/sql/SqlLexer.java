package io.multimed.jdbc.sql;

import io.multimed.jdbc.sql.SqlToken.Kind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lexical rules that H2 and HSQLDB share. Where they differ from each other, or between compatibility modes, the token is
 * {@link SqlToken.Kind#STRANGE}; a text that is not understood runs on the Master. A text of H2 is split into statements exactly as H2's
 * own tokenizer does it.
 *
 * <p>One text, one thread, once.
 */
final class SqlLexer {
    /** A number in hexadecimal, with an exponent, or with a letter for its type or unit. */
    private static final Pattern LETTERED_NUMBER = Pattern.compile("(?i)0x[0-9a-f_]+|[0-9._]+(?:e[+-]?[0-9]+)?[a-z]?");

    /** The number at the beginning of a token, by H2's rule. */
    private static final Pattern NUMBER_OF_H2 =
            Pattern.compile("(?i)0x[0-9a-f_]+|0o[0-7_]+|0b[01_]+|[0-9_]+l|[0-9_]*\\.?[0-9_]*(?:e[+-]?[0-9_]+)?");

    private final String sql;
    private final boolean h2;
    private int position;
    private int start;
    private char symbol;
    /** Position behind a comment that not every engine takes for one. */
    private int odd;

    private boolean comment;
    private String text = "";

    SqlLexer(String sql, Dialect dialect) {
        this.sql = sql;
        this.h2 = dialect == Dialect.H2;
    }

    /** Returns the position at which the token just read begins. */
    int start() {
        return start;
    }

    /** Returns the position behind the token just read. */
    int end() {
        return position;
    }

    String text() {
        return text;
    }

    /** Whether the token just read is a comment of H2 that other engines do not take for one, and more of the text follows. */
    boolean isComment() {
        return comment;
    }

    char symbol() {
        return symbol;
    }

    Kind next() {
        text = "";
        symbol = 0;
        odd = sql.length();
        comment = false;
        if (!skipBlank()) {
            start = position;
            comment = odd < sql.length();
            position = odd;
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
        if (isWordStart(position)) {
            return word();
        }
        if ((c >= '0' && c <= '9') || (c == '.' && isDigit(position + 1))) {
            return number();
        }
        if (h2 && (c == '`' || c == '[' || c == '$')) {
            int close = closeOfH2(c);
            if (close > 0) {
                position = close;
                return Kind.STRANGE;
            }
        }
        position++;
        symbol = c;
        if (h2 && (c == '$' || c == '?')) {
            // The question mark may have a parameter number after it.
            while (isDigit(position)) {
                position++;
            }
        }
        // A dollar quotes text, an at sign begins a variable, a backtick quotes an identifier, a hash begins a comment
        // or an
        // operator.
        return c == '$' || c == '`' || c == '@' || c == '#' || c == '\\' || c > '~' || c < ' '
                ? Kind.STRANGE
                : Kind.SYMBOL;
    }

    /**
     * Returns the position behind a name in backticks, a text between two pairs of dollars, or a name in square brackets, which
     * some modes allow; only there can a semicolon be part of a token. Returns 0 if there is none.
     */
    private int closeOfH2(char c) {
        return switch (c) {
            case '`' -> closeOfQuoted('`');
            case '$' -> {
                int end = at(position + 1) == '$' ? sql.indexOf("$$", position + 2) : -1;
                yield end < 0 ? 0 : end + 2;
            }
            default -> {
                int close = sql.indexOf(']', position + 1);
                String name = close < 0 ? "" : sql.substring(position, close);
                yield name.indexOf(';') >= 0 && name.indexOf('\'') < 0 && name.indexOf('"') < 0 ? close + 1 : 0;
            }
        };
    }

    /** Returns the position behind the closing quote, which is doubled within; 0 if there is none. */
    private int closeOfQuoted(char quote) {
        int close = sql.indexOf(quote, position + 1);
        while (close >= 0 && at(close + 1) == quote) {
            close = sql.indexOf(quote, close + 2);
        }
        return close + 1;
    }

    private char at(int index) {
        return index < sql.length() ? sql.charAt(index) : 0;
    }

    private boolean isDigit(int index) {
        char c = at(index);
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c > '~' && Character.isLetter(c));
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || (c >= '0' && c <= '9') || c == '$' || c == '#' || c == '@';
    }

    private boolean isWordStart(int index) {
        char c = sql.charAt(index);
        return (h2 && c > '~') ? Character.isJavaIdentifierStart(sql.codePointAt(index)) : isWordStart(c);
    }

    private boolean isWordPart(int index) {
        char c = sql.charAt(index);
        if (!h2) {
            return isWordPart(c);
        }
        // The second half of a character was checked with the first one.
        return Character.isLowSurrogate(c) || Character.isJavaIdentifierPart(sql.codePointAt(index)) || c == '#';
    }

    /** Skips white space and comments. Returns false at a comment whose end depends on the engine, or that has none. */
    private boolean skipBlank() {
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (c <= ' ' || (c > '~' && Character.isWhitespace(c))) {
                position++;
            } else if (c == '-' && at(position + 1) == '-') {
                while (position < sql.length() && at(position) != '\n' && at(position) != '\r') {
                    position++;
                }
                if (!h2 && at(position) == '\r' && position + 1 < sql.length() && at(position + 1) != '\n') {
                    // For SQLite the comment goes on.
                    return false;
                }
            } else if (h2 && c == '/' && (at(position + 1) == '/' || at(position + 1) == '*')) {
                int end = at(position + 1) == '/' ? endOfLine() : endOfComment();
                if (sql.startsWith("//", position)
                        || end < 0
                        || (sql.indexOf("/*", position + 2) < end && sql.indexOf("/*", position + 2) >= 0)) {
                    odd = end < 0 ? sql.length() : end;
                    return false;
                }
                position = end;
            } else if (c == '/' && at(position + 1) == '*') {
                int close = sql.indexOf("*/", position + 2);
                int nested = sql.indexOf("/*", position + 2);
                if (close < 0 || (nested >= 0 && nested < close)) {
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

    private int endOfLine() {
        int i = position;
        while (i < sql.length() && at(i) != '\n' && at(i) != '\r') {
            i++;
        }
        return i;
    }

    /** Returns the position behind a comment of H2, which may contain others; -1 if it does not end. */
    private int endOfComment() {
        int level = 0;
        int i = position;
        do {
            if (i + 1 >= sql.length()) {
                return -1;
            }
            if (at(i) == '/' && at(i + 1) == '*') {
                level++;
                i += 2;
            } else if (at(i) == '*' && at(i + 1) == '/') {
                level--;
                i += 2;
            } else {
                i++;
            }
        } while (level > 0);
        return i;
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
            int end = closeOfQuoted('"');
            position = end == 0 ? sql.length() : end;
            return Kind.STRANGE;
        }
        text = sql.substring(position + 1, close);
        position = close + 1;
        return Kind.QUOTED;
    }

    private Kind word() {
        int i = position + 1;
        while (i < sql.length() && isWordPart(i)) {
            i++;
        }
        text = sql.substring(position, i).toUpperCase(Locale.ROOT);
        position = i;
        if ((at(i) == '\'' && text.length() <= 1) || (text.equals("U") && at(i) == '&')) {
            if (at(i) == '&') {
                position++;
            }
            // N'…', X'…', B'…', E'…', U&'…': their closing quote is found as in any other string.
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
        if (h2) {
            Matcher own = NUMBER_OF_H2.matcher(sql).region(position, i);
            int end = own.lookingAt() ? Math.max(own.end(), position + 1) : i;
            letters |= end < i;
            i = end < i ? end : i;
        }
        String number = sql.substring(position, i);
        position = i;
        // Otherwise a word begins in the middle of it for some engines: 1FETCH.
        return !letters || LETTERED_NUMBER.matcher(number).matches() ? Kind.NUMBER : Kind.STRANGE;
    }

    /** Whether the sign of an exponent stands here. */
    private boolean isSign(int i) {
        char before = at(i - 1);
        return i > position && (at(i) == '+' || at(i) == '-') && (before == 'e' || before == 'E') && isDigit(i + 1);
    }

    /** Returns the token just read, of this kind. */
    SqlToken token(Kind kind) {
        return new SqlToken(kind, text, symbol, start, position);
    }
}
