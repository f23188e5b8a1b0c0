package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Values of string literals, for settings and snapshot names; not for queries. */
final class Literals {
    private Literals() {}

    /** Returns the value of a string literal; null if only the server can tell it (escapes beyond the simple ones). */
    static @Nullable String value(byte[] sql, int start, int end) {
        String text = new String(sql, start, end - start, StandardCharsets.UTF_8);
        char first = text.charAt(0);
        if (first == '$') {
            int tag = text.indexOf('$', 1) + 1;
            return text.substring(tag, text.length() - tag);
        }
        if (first == 'u' || first == 'U') {
            return null;
        }
        boolean escapes = first == 'e' || first == 'E';
        StringBuilder value = new StringBuilder(text.length());
        int i = text.indexOf('\'') + 1;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c == '\'') {
                if (i == text.length()) {
                    return value.toString();
                }
                if (text.charAt(i) == '\'') {
                    value.append('\'');
                    i++;
                } else {
                    i = continued(text, i);
                }
            } else if (c == '\\' && escapes) {
                char escaped = text.charAt(i++);
                int known = "'\\\"nrt".indexOf(escaped);
                if (known < 0) {
                    return null;
                }
                value.append("'\\\"\n\r\t".charAt(known));
            } else {
                value.append(c);
            }
        }
        return null;
    }

    /**
     * Returns the position behind the quote with which a string continues on another line. The lexer has made sure that there is
     * one.
     */
    private static int continued(String text, int i) {
        int at = i;
        while (text.charAt(at) != '\'') {
            if (text.charAt(at) == '-') {
                while (text.charAt(at) != '\n' && text.charAt(at) != '\r') {
                    at++;
                }
            }
            at++;
        }
        return at + 1;
    }
}
