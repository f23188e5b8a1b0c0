package io.multimed.engine.postgresql.writeset;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A table whose changes triggers capture, in the form that it had when its triggers were made: the meaning of the rows in their messages.
 *
 * @param token names table and form in each message; the same for the same form
 */
record CapturedTable(String token, Relation relation) {
    private static final int TOKEN_BYTES = 12;

    static CapturedTable of(Relation relation) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(relation.toString().getBytes(StandardCharsets.UTF_8));
            return new CapturedTable(
                    Integer.toUnsignedString(relation.id()) + "-"
                            + HexFormat.of().formatHex(digest, 0, TOKEN_BYTES),
                    relation);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the OID of the table from the token. */
    static String oid(String token) {
        return token.substring(0, token.indexOf('-'));
    }
}
