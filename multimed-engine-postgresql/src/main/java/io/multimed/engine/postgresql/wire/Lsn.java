package io.multimed.engine.postgresql.wire;

/** PostgreSQL's notation of a position in the log: two hexadecimal halves. */
public final class Lsn {
    private Lsn() {}

    public static String format(long lsn) {
        return String.format("%X/%X", lsn >>> 32, lsn & 0xFFFF_FFFFL);
    }

    /** @throws IllegalArgumentException if the text is not a position */
    public static long parse(String text) {
        int slash = text.indexOf('/');
        try {
            return half(text.substring(0, Math.max(slash, 0))) << 32 | half(text.substring(slash + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a log position: " + text, e);
        }
    }

    private static long half(String digits) {
        return Integer.toUnsignedLong(Integer.parseUnsignedInt(digits, 16));
    }
}
