package io.multimed.endpoint.pg.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a password (RFC 5803), as in {@code pg_authid.rolpassword}.
 *
 * @param genuine false for a mock verifier, with which a client cannot distinguish an unknown role from a wrong password
 */
record ScramVerifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey, boolean genuine) {
    private static final Pattern FORMAT = Pattern.compile("SCRAM-SHA-256\\$(\\d{1,9}):([^$]+)\\$([^:]+):(.+)");
    /** PostgreSQL's SCRAM_SHA_256_DEFAULT_ITERATIONS, which nearly every real role has. */
    private static final int USUAL_ITERATIONS = 4096;

    private static final int SALT_BYTES = 16;
    private static final byte[] MOCK_SECRET = ScramFunctions.salt(32, new SecureRandom());

    static @Nullable ScramVerifier parse(String text) {
        Matcher parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        Base64.Decoder base64 = Base64.getDecoder();
        try {
            return new ScramVerifier(
                    Integer.parseInt(parts.group(1)),
                    base64.decode(parts.group(2)),
                    base64.decode(parts.group(3)),
                    base64.decode(parts.group(4)),
                    true);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    /** Returns a mock verifier. It is always the same for the same name, as a real one would be. */
    static ScramVerifier mock(String user) {
        byte[] derived =
                ScramFunctions.hmac(ScramMechanism.SCRAM_SHA_256, MOCK_SECRET, user.getBytes(StandardCharsets.UTF_8));
        byte[] salt = java.util.Arrays.copyOf(derived, SALT_BYTES);
        return new ScramVerifier(USUAL_ITERATIONS, salt, derived, derived, false);
    }
}
