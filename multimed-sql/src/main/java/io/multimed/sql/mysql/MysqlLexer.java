package io.multimed.sql.mysql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Splits a text into tokens, by MySQL's rules: backticks, strings with backslashes unless sql_mode says otherwise, double quotes by
 * sql_mode, {@code #} and {@code --} with a space as comments. What versions of the server execute within comments is read like the rest,
 * and marked.
 */
final class MysqlLexer {
    private final String text;
    private final boolean ansiQuotes;
    private final boolean noBackslash;
    private final List<MysqlToken> tokens = new ArrayList<>();
    private int at;
    private boolean strange;

    MysqlLexer(String text, boolean ansiQuotes, boolean noBackslash) {
        this.text = text;
        this.ansiQuotes = ansiQuotes;
        this.noBackslash = noBackslash;
    }

    List<MysqlToken> tokens() {
        while (at < text.length()) {
            next();
        }
        return tokens;
    }

    /** Whether the text has parts about which this lexer and the server may differ. */
    boolean isStrange() {
        return strange;
    }

    private char at(int offset) {
        return at + offset < text.length() ? text.charAt(at + offset) : '\0';
    }

    private void next() {
        char c = text.charAt(at);
        if (isSpace(c)) {
            at++;
        } else if (c == '#' || (c == '-' && at(1) == '-' && (at + 2 >= text.length() || isSpaceOrControl(at(2))))) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end + 1;
        } else if (c == '/' && at(1) == '*') {
            comment();
        } else if (c == '*' && at(1) == '/') {
            strange = true;
            at += 2;
        } else if (c == '\'' || (c == '"' && !ansiQuotes)) {
            quoted(c, !noBackslash);
            tokens.add(new MysqlToken(MysqlToken.Kind.STRING, "''", "''"));
        } else if (c == '`' || c == '"') {
            String name = quoted(c, false);
            tokens.add(new MysqlToken(MysqlToken.Kind.QUOTED_NAME, name, name));
        } else if (isDigit(c) || (c == '.' && isDigit(at(1)) && !followsName())) {
            number();
        } else if (isWordPart(c)) {
            int start = at;
            while (at < text.length() && isWordPart(text.charAt(at))) {
                at++;
            }
            String raw = text.substring(start, at);
            tokens.add(new MysqlToken(MysqlToken.Kind.WORD, raw.toUpperCase(Locale.ROOT), raw));
        } else {
            strange |= c == '\\' || c < ' ' || c > '~';
            String symbol = String.valueOf(c);
            boolean glued = c == '(' && at > 0 && isWordPart(text.charAt(at - 1));
            tokens.add(new MysqlToken(MysqlToken.Kind.SYMBOL, symbol, glued ? MysqlToken.CALL : symbol));
            at++;
        }
    }

    private boolean followsName() {
        return !tokens.isEmpty() && tokens.get(tokens.size() - 1).isName() && at > 0 && !isSpace(text.charAt(at - 1));
    }

    private void comment() {
        if (at(2) == '!' || (at(2) == 'M' && at(3) == '!')) {
            strange = true;
            at = text.indexOf('!', at) + 1;
            while (at < text.length() && isDigit(text.charAt(at))) {
                at++;
            }
            return;
        }
        int end = text.indexOf("*/", at + 2);
        int nested = text.indexOf("/*", at + 2);
        strange |= end < 0 || (nested >= 0 && nested < end);
        at = end < 0 ? text.length() : end + 2;
    }

    /** Reads to the closing quote. @return the contents, with doubled quotes undone */
    private String quoted(char quote, boolean backslash) {
        StringBuilder contents = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\' && backslash) {
                at++;
            } else if (c == quote) {
                if (at(0) != quote) {
                    return contents.toString();
                }
                at++;
                contents.append(quote);
            } else {
                contents.append(c);
            }
        }
        strange = true;
        return contents.toString();
    }

    private void number() {
        int start = at;
        while (at < text.length() && (isWordPart(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
            if ((text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E') && (at(0) == '-' || at(0) == '+')) {
                at++;
            }
        }
        String raw = text.substring(start, at);
        strange |= !raw.matches("\\d*\\.?\\d*([eE][-+]?\\d+)?") && !raw.matches("0x[0-9a-fA-F]+|0b[01]+");
        tokens.add(new MysqlToken(MysqlToken.Kind.NUMBER, "0", "0"));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isSpaceOrControl(char c) {
        return c <= ' ';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordPart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '$' || c >= 0x80;
    }
}
