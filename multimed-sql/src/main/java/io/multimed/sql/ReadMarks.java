package io.multimed.sql;

import java.util.HexFormat;

/**
 * The marks of a read for routing rules, and for what is remembered about reads of its shape.
 *
 * @param rules bits of the {@link StatementRules} that match its text
 * @param hint the node that a comment in it names; empty if there is none, or if comments do not count
 * @param shape a hash of its shape that is the same in every process; 0 if the shape is not known
 * @param database the name of the database in which it is executed; empty if it is not known
 * @param generation that of the rules
 */
public record ReadMarks(long rules, String hint, long shape, String database, int generation) {
    /** The marks of a read that no rule concerns. */
    public static final ReadMarks NONE = new ReadMarks(0, "", 0, "", 0);

    /** Returns the shape as people see it and as rules name it. */
    public String fingerprint() {
        return shape == 0 ? "" : fingerprint(shape);
    }

    static String fingerprint(long shape) {
        return HexFormat.of().toHexDigits(shape);
    }
}
