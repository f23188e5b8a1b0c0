package io.multimed.engine.embedded.hsqldb;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.hsqldb.Database;
import org.hsqldb.HsqlException;
import org.hsqldb.persist.LobManager;
import org.hsqldb.result.Result;
import org.hsqldb.result.ResultLob;
import org.hsqldb.types.BlobDataID;
import org.hsqldb.types.ClobDataID;
import org.jspecify.annotations.Nullable;

/**
 * Lengths and digests of LOBs, which each database of HSQLDB keeps by itself and under numbers of its own. A LOB never changes, but it
 * may be removed while it is read, since its row may have been deleted; numbers are not given out again.
 */
final class LobDigests {
    private static final int CHUNK = 1 << 14;

    private final long most;
    private boolean gone;

    /**
     * Begins with no LOB read.
     *
     * @param most length above which LOBs are not read, so that their lengths alone count
     */
    LobDigests(long most) {
        this.most = most;
    }

    /** Whether one of the LOBs was removed before it had been read, so that nothing is known about it. */
    boolean someAreGone() {
        return gone;
    }

    /** Returns a text that is the same for LOBs of the same contents. */
    String of(Database database, @Nullable Object lob) {
        try {
            if (lob instanceof ClobDataID clob) {
                return of(database.lobManager, clob.getId(), true);
            }
            if (lob instanceof BlobDataID blob) {
                return of(database.lobManager, blob.getId(), false);
            }
        } catch (HsqlException e) {
            gone = true;
            return "";
        }
        return String.valueOf(lob);
    }

    private String of(LobManager lobs, long number, boolean isText) {
        long length = length(lobs, number);
        if (length > most) {
            return String.valueOf(length);
        }
        MessageDigest digest = sha256();
        for (long at = 0; at < length; at += CHUNK) {
            int part = (int) Math.min(CHUNK, length - at);
            if (isText) {
                char[] text = ((ResultLob) checked(lobs.getChars(number, at, part))).getCharArray();
                ByteBuffer bytes = ByteBuffer.allocate(text.length * Character.BYTES);
                bytes.asCharBuffer().put(text);
                digest.update(bytes);
            } else {
                digest.update(((ResultLob) checked(lobs.getBytes(number, at, part))).getByteArray());
            }
        }
        // It was there all the time if it still is: until then nothing else has its place.
        length(lobs, number);
        return length + ":" + HexFormat.of().formatHex(digest.digest());
    }

    private static long length(LobManager lobs, long number) {
        return ((ResultLob) checked(lobs.getLength(number))).getBlockLength();
    }

    private static Result checked(Result result) {
        if (result.isError()) {
            throw result.getException();
        }
        return result;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
