package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.Backend;
import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What tells apart the results of a prepared statement as PostgreSQL does: names and types of the columns. */
final class ResultDigest {
    private ResultDigest() {}

    /** @param index of a RowDescription or NoData message */
    static byte[] of(ByteBuf in, int index) {
        MessageDigest digest = sha256();
        if (in.getByte(index) == Backend.ROW_DESCRIPTION) {
            int at = index + 7;
            for (int left = in.getUnsignedShort(index + 5); left > 0; left--) {
                int end = in.indexOf(at, in.writerIndex(), (byte) 0) + 1;
                // Behind the name stand the table and its column, which do not count, the type, its length, its
                // modifier.
                digest.update(in.nioBuffer(at, end - at));
                digest.update(in.nioBuffer(end + 6, 10));
                at = end + 18;
            }
        }
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
