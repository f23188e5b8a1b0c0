package io.multimed.sql;

/** Finds the end of numeric constants, by the rules of scan.l: underscores between digits, 0x, 0o and 0b, exponents. */
final class Numbers {
    /** Result if there is no number, or only a part of one. */
    static final int NONE = Integer.MIN_VALUE;

    private static final int DECIMAL_DIGITS = 'd';

    private Numbers() {}

    /**
     * Returns the position behind the number that begins at {@code from} with a digit or a point. Returns its complement
     * ({@code ~}) if the number has a point or an exponent, and {@link #NONE} if it is no number.
     */
    static int end(byte[] sql, int from, int limit) {
        int radix = at(sql, from, limit) == '0' ? at(sql, from + 1, limit) | 0x20 : 0;
        if (radix == 'x' || radix == 'o' || radix == 'b') {
            return digits(sql, from + 2, limit, radix);
        }
        boolean decimal = false;
        int i = from;
        if (at(sql, i, limit) != '.') {
            i = digits(sql, i, limit, DECIMAL_DIGITS);
        }
        // Two points denote an array slice, so the number before them is an integer.
        if (at(sql, i, limit) == '.' && at(sql, i + 1, limit) != '.') {
            decimal = true;
            i++;
            if (isDigit(at(sql, i, limit), DECIMAL_DIGITS)) {
                i = digits(sql, i, limit, DECIMAL_DIGITS);
            }
        }
        if ((at(sql, i, limit) | 0x20) == 'e') {
            decimal = true;
            int sign = at(sql, i + 1, limit);
            i = digits(sql, sign == '+' || sign == '-' ? i + 2 : i + 1, limit, DECIMAL_DIGITS);
        }
        return decimal && i != NONE ? ~i : i;
    }

    /**
     * Returns the position behind the digits that begin at {@code from}. Single underscores may stand between digits and, after
     * 0x, before them.
     */
    private static int digits(byte[] sql, int from, int limit, int radix) {
        int i = from;
        if (radix != DECIMAL_DIGITS && at(sql, i, limit) == '_') {
            i++;
        }
        if (!isDigit(at(sql, i, limit), radix)) {
            return NONE;
        }
        while (true) {
            if (isDigit(at(sql, i, limit), radix)) {
                i++;
            } else if (at(sql, i, limit) == '_' && isDigit(at(sql, i + 1, limit), radix)) {
                i += 2;
            } else {
                return i;
            }
        }
    }

    private static int at(byte[] sql, int index, int limit) {
        return index >= 0 && index < limit ? sql[index] : 0;
    }

    private static boolean isDigit(int c, int radix) {
        return switch (radix) {
            case 'x' -> (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
            case 'o' -> c >= '0' && c <= '7';
            case 'b' -> c == '0' || c == '1';
            default -> c >= '0' && c <= '9';
        };
    }
}
