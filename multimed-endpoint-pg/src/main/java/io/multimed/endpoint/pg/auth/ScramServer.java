package io.multimed.endpoint.pg.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import io.multimed.endpoint.pg.EndpointServices.Role;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The server's side of one SCRAM-SHA-256 exchange, without channel binding. */
public final class ScramServer {
    public static final String MECHANISM = "SCRAM-SHA-256";

    /** SCRAM_RAW_NONCE_LEN (scram-common.h). */
    private static final int NONCE_BYTES = 18;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String user;
    private final ScramVerifier verifier;
    private final boolean mayPass;
    private String clientFirstBare = "";
    private String serverFirst = "";
    private String nonce = "";
    private String gs2Header = "";

    private ScramServer(String user, ScramVerifier verifier, boolean mayPass) {
        this.user = user;
        this.verifier = verifier;
        this.mayPass = mayPass;
    }

    /** @param role null when there is none: the exchange then runs to its end and fails like a wrong password */
    public static ScramServer forRole(String user, @Nullable Role role) {
        String secret = role == null ? null : role.verifier();
        ScramVerifier verifier = secret == null ? null : ScramVerifier.parse(secret);
        boolean mayPass = verifier != null && role != null && !role.expired();
        return new ScramServer(user, verifier == null ? ScramVerifier.mock(user) : verifier, mayPass);
    }

    /**
     * SASLInitialResponse.
     *
     * @param body the message without type and length
     * @return server-first-message
     */
    public String first(ByteBuf body) throws ProtocolException {
        int nameEnd = body.bytesBefore((byte) 0);
        if (nameEnd < 0 || body.readableBytes() < nameEnd + 5) {
            throw violation("invalid SASLInitialResponse");
        }
        String mechanism =
                body.readCharSequence(nameEnd, StandardCharsets.UTF_8).toString();
        body.skipBytes(1);
        if (!mechanism.equals(MECHANISM)) {
            throw violation("client selected an invalid SASL authentication mechanism");
        }
        int length = body.readInt();
        if (length != body.readableBytes()) {
            throw violation("invalid SASLInitialResponse");
        }
        String message = ascii(body);
        // gs2-header: "n,," or "y,,"; a client that asks for channel binding was not offered it.
        if (!message.startsWith("n,,") && !message.startsWith("y,,")) {
            throw violation("malformed SCRAM message");
        }
        gs2Header = message.substring(0, 3);
        clientFirstBare = message.substring(3);
        String[] parts = clientFirstBare.split(",", -1);
        if (parts.length < 2 || !parts[0].startsWith("n=") || !parts[1].startsWith("r=")) {
            throw violation("malformed SCRAM message");
        }
        String clientNonce = parts[1].substring(2);
        if (clientNonce.isEmpty() || !clientNonce.chars().allMatch(c -> c >= 0x21 && c <= 0x7e)) {
            throw violation("non-printable characters in SCRAM nonce");
        }
        nonce = clientNonce + ScramFunctions.nonce(NONCE_BYTES, RANDOM);
        serverFirst = "r=" + nonce + ",s=" + base64(verifier.salt()) + ",i=" + verifier.iterations();
        return serverFirst;
    }

    /**
     * SASLResponse.
     *
     * @return server-final-message
     * @throws ProtocolException 28P01 when the password is wrong or the role has none
     */
    public String last(ByteBuf body) throws ProtocolException {
        String message = ascii(body);
        int proofAt = message.lastIndexOf(",p=");
        if (proofAt < 0) {
            throw violation("malformed SCRAM message");
        }
        String withoutProof = message.substring(0, proofAt);
        String binding = "c=" + base64(gs2Header.getBytes(StandardCharsets.US_ASCII));
        String[] parts = withoutProof.split(",", -1);
        if (parts.length < 2 || !parts[0].equals(binding)) {
            throw violation(
                    parts[0].startsWith("c=")
                            ? "unexpected SCRAM channel-binding attribute in client-final-message"
                            : "malformed SCRAM message");
        }
        if (!parts[1].equals("r=" + nonce)) {
            throw violation("invalid SCRAM response");
        }
        byte[] proof = proof(message.substring(proofAt + 3));
        String authMessage = clientFirstBare + ',' + serverFirst + ',' + withoutProof;
        boolean right = ScramFunctions.verifyClientProof(
                ScramMechanism.SCRAM_SHA_256, proof, verifier.storedKey(), authMessage);
        if (!right || !mayPass || !verifier.genuine()) {
            throw ProtocolException.fatal(
                    SqlState.INVALID_PASSWORD, "password authentication failed for user \"" + user + "\"");
        }
        return "v="
                + base64(ScramFunctions.serverSignature(
                        ScramMechanism.SCRAM_SHA_256, verifier.serverKey(), authMessage));
    }

    private static byte[] proof(String text) throws ProtocolException {
        try {
            byte[] proof = Base64.getDecoder().decode(text);
            if (proof.length == 32) {
                return proof;
            }
        } catch (IllegalArgumentException notBase64) {
            // Said below.
        }
        throw violation("malformed SCRAM message");
    }

    private static String ascii(ByteBuf body) throws ProtocolException {
        String text = body.readCharSequence(body.readableBytes(), StandardCharsets.ISO_8859_1)
                .toString();
        if (text.indexOf('\0') >= 0) {
            throw violation("malformed SCRAM message");
        }
        return text;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static ProtocolException violation(String message) {
        return ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, message);
    }
}
