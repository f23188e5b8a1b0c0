package io.multimed.testkit.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** SCRAM-SHA-256 (RFC 5802, RFC 7677) whose parts tests can falsify. One exchange, one thread. */
public final class ScramClient {
    private final String password;
    private final String mechanism;
    private final String header;
    private final byte[] binding;
    private final String nonce;
    private String firstBare = "";
    private byte[] serverSignature = new byte[0];

    /** Makes a client without channel binding. */
    public ScramClient(String password) {
        this(password, "SCRAM-SHA-256", "n,,", new byte[0]);
    }

    /**
     * Makes a client with or without channel binding.
     *
     * @param header the first message's statement on channel binding
     * @param binding the second message's repetition behind the header
     */
    public ScramClient(String password, String mechanism, String header, byte[] binding) {
        this.password = password;
        this.mechanism = mechanism;
        this.header = header;
        this.binding = binding.clone();
        byte[] random = new byte[18];
        new SecureRandom().nextBytes(random);
        nonce = Base64.getEncoder().encodeToString(random);
    }

    /** Returns the SASLInitialResponse. PostgreSQL takes the user from the start-up message, so the name stays empty. */
    public byte[] first() {
        firstBare = "n=,r=" + nonce;
        byte[] response = (header + firstBare).getBytes(StandardCharsets.UTF_8);
        return FrontendBytes.message(
                'p',
                new FrontendBytes.Bytes()
                        .string(mechanism)
                        .int32(response.length)
                        .bytes(response)
                        .toArray());
    }

    /** Returns the SASLResponse with the proof. */
    public byte[] last(Message saslContinue) throws GeneralSecurityException, IOException {
        return FrontendBytes.message('p', lastText(saslContinue, true).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the client-final-message.
     *
     * @param ownNonce whether to repeat the server's nonce, as the protocol requires
     */
    public String lastText(Message saslContinue, boolean ownNonce) throws GeneralSecurityException, IOException {
        byte[] body = saslContinue.body();
        String serverFirst = new String(body, 4, body.length - 4, StandardCharsets.UTF_8);
        String serverNonce = attribute(serverFirst, 'r');
        byte[] salt = Base64.getDecoder().decode(attribute(serverFirst, 's'));
        int iterations = Integer.parseInt(attribute(serverFirst, 'i'));
        byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, 256))
                .getEncoded();
        byte[] clientKey = hmac(salted, "Client Key");
        byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(clientKey);
        byte[] bound = new FrontendBytes.Bytes()
                .bytes(header.getBytes(StandardCharsets.UTF_8))
                .bytes(binding)
                .toArray();
        String withoutProof =
                "c=" + Base64.getEncoder().encodeToString(bound) + ",r=" + (ownNonce ? serverNonce : nonce + "wrong");
        String authMessage = firstBare + "," + serverFirst + "," + withoutProof;
        byte[] signature = hmac(storedKey, authMessage);
        byte[] proof = new byte[signature.length];
        for (int i = 0; i < proof.length; i++) {
            proof[i] = (byte) (clientKey[i] ^ signature[i]);
        }
        serverSignature = hmac(hmac(salted, "Server Key"), authMessage);
        return withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
    }

    /** Whether the server has proved, in its SASLFinal, that it knows the password too. */
    public boolean accepts(Message saslFinal) throws IOException {
        byte[] body = saslFinal.body();
        String text = new String(body, 4, body.length - 4, StandardCharsets.UTF_8);
        return Arrays.equals(Base64.getDecoder().decode(attribute(text, 'v')), serverSignature);
    }

    private static String attribute(String text, char name) throws IOException {
        for (String part : text.split(",", -1)) {
            if (part.startsWith(name + "=")) {
                return part.substring(2);
            }
        }
        throw new IOException("no attribute " + name + " in " + text);
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
