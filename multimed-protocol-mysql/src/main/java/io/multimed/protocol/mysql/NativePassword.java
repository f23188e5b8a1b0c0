package io.multimed.protocol.mysql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The authentication plugin mysql_native_password.
 *
 * <p>The server stores SHA1(SHA1(password)), the double hash. The client replies SHA1(password) XOR SHA1(scramble, double hash). So a
 * server that knows the double hash recovers SHA1(password) from a reply, and verifies it. With SHA1(password) it can reply to another
 * server's scramble.
 */
public final class NativePassword {
    public static final String NAME = "mysql_native_password";
    /** Length of hashes, scrambles and replies. */
    public static final int LENGTH = 20;
    /** The kind of hash, in front of it. */
    private static final char PROOF_BY_SHA256 = 1;

    private NativePassword() {}

    /** Returns SHA1(password); null for an empty password, which has no hash. */
    public static byte @Nullable [] hash(String password) {
        return password.isEmpty() ? null : sha1(password.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the double hash from its form in the server's tables, a star with 40 hexadecimal digits; null if it is not one. */
    public static byte @Nullable [] stored(String text) {
        if (text.length() != 1 + 2 * LENGTH || text.charAt(0) != '*') {
            return null;
        }
        try {
            return HexFormat.of().parseHex(text, 1, text.length());
        } catch (IllegalArgumentException notHexadecimal) {
            return null;
        }
    }

    /** @param hash SHA1(password), or null for an empty password */
    public static byte[] reply(byte @Nullable [] hash, byte[] scramble) {
        return hash == null ? new byte[0] : xor(hash, sha1(scramble, sha1(hash)));
    }

    /** Returns SHA1(password) if the reply is that of the password; null if it is not. */
    public static byte @Nullable [] recover(byte[] reply, byte[] scramble, byte[] doubleHash) {
        if (reply.length != LENGTH || doubleHash.length != LENGTH) {
            return null;
        }
        byte[] hash = xor(reply, sha1(scramble, doubleHash));
        return MessageDigest.isEqual(sha1(hash), doubleHash) ? hash : null;
    }

    /**
     * Returns the information of a login's OK by which a client verifies a certificate that no authority has signed: only a server that
     * knows the double hash can make it (MDEV-31855).
     *
     * @param hash SHA1(password)
     * @param scramble of the login
     * @param certificate that the client was shown, DER
     */
    public static byte[] certificateProof(byte[] hash, byte[] scramble, byte[] certificate) {
        byte[] proof = digest("SHA-256", sha1(hash), scramble, digest("SHA-256", certificate));
        return (PROOF_BY_SHA256 + HexFormat.of().withUpperCase().formatHex(proof)).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] xor(byte[] one, byte[] other) {
        byte[] result = one.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= other[i];
        }
        return result;
    }

    private static byte[] sha1(byte[]... parts) {
        return digest("SHA-1", parts);
    }

    private static byte[] digest(String algorithm, byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
