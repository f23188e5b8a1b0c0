package io.multimed.sql;

import java.nio.charset.StandardCharsets;

/** A comment that names the node for a read: <code>/&#42; multimed: node=NAME &#42;/</code>. */
final class Hint {
    private static final byte[] OWNER = "multimed:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY = "node=".getBytes(StandardCharsets.US_ASCII);

    private Hint() {}

    /**
     * Whether the comment is a hint; then the name is between {@link #nameIn} and the next byte that no name has.
     *
     * @param from of the comment's slash
     * @return the position of the name; -1 if it is another comment, which is ignored, as hints with a mistake are
     */
    static int nameIn(byte[] sql, int from, int to) {
        int at = behind(OWNER, sql, space(sql, from + 2, to), to);
        at = at < 0 ? -1 : behind(KEY, sql, space(sql, at, to), to);
        if (at < 0) {
            return -1;
        }
        int end = endOfName(sql, at, to);
        return end > at && space(sql, end, to) == to - 2 ? at : -1;
    }

    /** Returns the position behind the name that begins at {@code from}. */
    static int endOfName(byte[] sql, int from, int to) {
        int at = from;
        while (at < to && isOfName(sql[at])) {
            at++;
        }
        return at;
    }

    private static boolean isOfName(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
    }

    private static int space(byte[] sql, int from, int to) {
        int at = from;
        while (at < to && (sql[at] == ' ' || sql[at] == '\t' || sql[at] == '\n' || sql[at] == '\r')) {
            at++;
        }
        return at;
    }

    private static int behind(byte[] word, byte[] sql, int from, int to) {
        if (to - from < word.length) {
            return -1;
        }
        for (int i = 0; i < word.length; i++) {
            if (sql[from + i] != word[i]) {
                return -1;
            }
        }
        return from + word.length;
    }
}
