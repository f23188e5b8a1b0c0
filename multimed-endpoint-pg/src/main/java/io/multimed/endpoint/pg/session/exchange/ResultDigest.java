package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.Backend;
import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes a digest of the names and types of the result columns, by which PostgreSQL distinguishes the results of a prepared
 * statement.
 */
final class ResultDigest {
    private ResultDigest() {}

    /**
     * Computes the digest.
     *
     * @param index position of a RowDescription or NoData message
     */
    static byte[] of(ByteBuf in, int index) {
        MessageDigest digest = sha256();
        if (in.getByte(index) == Backend.ROW_DESCRIPTION) {
            int at = index + 7;
            for (int left = in.getUnsignedShort(index + 5); left > 0; left--) {
                int end = in.indexOf(at, in.writerIndex(), (byte) 0) + 1;
                // After the name come the table and its column number, which do not count, then the type, its length
                // and its modifier.
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
