package io.multimed.endpoint.pg.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import io.multimed.endpoint.pg.services.EndpointServices.Role;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server's side of one SCRAM-SHA-256 exchange, bound to its TLS channel if the client requests that. */
public final class ScramServer {
    private static final String BOUND = ScramMechanism.SCRAM_SHA_256_PLUS.getName();
    private static final String UNBOUND = ScramMechanism.SCRAM_SHA_256.getName();

    /** SCRAM_RAW_NONCE_LEN (scram-common.h). */
    private static final int NONCE_BYTES = 18;

    private static final int PROOF_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String user;
    private final ScramVerifier verifier;
    private final boolean mayPass;
    private final @Nullable ChannelBinding binding;
    private boolean bound;
    private ClientFirst clientFirst = new ClientFirst("", "", "");
    private String serverFirst = "";
    private String nonce = "";

    private ScramServer(String user, ScramVerifier verifier, boolean mayPass, @Nullable ChannelBinding binding) {
        this.user = user;
        this.verifier = verifier;
        this.mayPass = mayPass;
        this.binding = binding;
    }

    /**
     * Begins an exchange.
     *
     * @param role null if it does not exist: the exchange then runs to its end and fails as with a wrong password
     * @param binding channel binding that the client may use; null without TLS
     */
    public static ScramServer forRole(String user, @Nullable Role role, @Nullable ChannelBinding binding) {
        String secret = role == null ? null : role.verifier();
        ScramVerifier verifier = secret == null ? null : ScramVerifier.parse(secret);
        boolean mayPass = verifier != null && role != null && !role.expired();
        return new ScramServer(user, verifier == null ? ScramVerifier.mock(user) : verifier, mayPass, binding);
    }

    /** Returns the offered mechanisms, the best first. */
    public List<String> mechanisms() {
        return binding == null ? List.of(UNBOUND) : List.of(BOUND, UNBOUND);
    }

    /**
     * Handles SASLInitialResponse.
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
        if (!mechanisms().contains(mechanism)) {
            throw violation("client selected an invalid SASL authentication mechanism");
        }
        int length = body.readInt();
        if (length != body.readableBytes()) {
            throw violation("invalid SASLInitialResponse");
        }
        bound = mechanism.equals(BOUND);
        clientFirst = ClientFirst.parse(ScramText.of(body), bound, binding != null);
        nonce = clientFirst.nonce() + ScramFunctions.nonce(NONCE_BYTES, RANDOM);
        serverFirst = "r=" + nonce + ",s=" + base64(verifier.salt()) + ",i=" + verifier.iterations();
        return serverFirst;
    }

    /**
     * Handles SASLResponse.
     *
     * @return server-final-message
     * @throws ProtocolException 28P01 if the password is wrong or the role has none
     */
    public String last(ByteBuf body) throws ProtocolException {
        ScramText text = ScramText.of(body);
        checkBinding(text.value('c'));
        String repeatedNonce = text.value('r');
        int proofAt = text.position();
        // Extensions may precede the proof; they matter only because the proof covers them.
        while (text.peek() != 'p') {
            text.anyValue();
            proofAt = text.position();
        }
        byte[] proof = proof(text.value('p'));
        if (!text.atEnd()) {
            throw ScramText.malformed("Garbage found at the end of client-final-message.");
        }
        if (!repeatedNonce.equals(nonce)) {
            throw ProtocolException.fatal(
                    SqlState.PROTOCOL_VIOLATION, "invalid SCRAM response", "Nonce does not match.");
        }
        String authMessage = clientFirst.bare() + ',' + serverFirst + ',' + text.before(proofAt - 1);
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

    /** Checks the channel binding, which the proof covers. So a client that was presented another certificate fails here. */
    private void checkBinding(String claimed) throws ProtocolException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(clientFirst.header().getBytes(StandardCharsets.US_ASCII));
        if (bound && binding != null) {
            expected.writeBytes(binding.hash());
        }
        if (claimed.equals(base64(expected.toByteArray()))) {
            return;
        }
        throw bound
                ? ProtocolException.fatal(SqlState.INVALID_AUTHORIZATION, "SCRAM channel binding check failed")
                : violation("unexpected SCRAM channel-binding attribute in client-final-message");
    }

    private static byte[] proof(String text) throws ProtocolException {
        try {
            byte[] proof = Base64.getDecoder().decode(text);
            if (proof.length == PROOF_BYTES) {
                return proof;
            }
        } catch (IllegalArgumentException notBase64) {
            // The error is thrown below.
        }
        throw ScramText.malformed("Malformed proof in client-final-message.");
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static ProtocolException violation(String message) {
        return ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, message);
    }
}
