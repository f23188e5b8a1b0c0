package io.multimed.engine.mariadb.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/**
 * A certificate, signed by itself, for TLS on an engine's private socket, where nobody verifies it. An engine that has none makes one of
 * its own at each start, with a key of RSA, which takes from one second to a minute.
 *
 * <p>Source of the encoding: RFC 5280 (certificates), RFC 5758 (ECDSA with SHA-256), ITU-T X.690 (DER).
 *
 * @param certificate PEM
 * @param key PEM, PKCS#8
 */
record SocketCertificate(String certificate, String key) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};
    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02};

    /** Makes one, with a new key. */
    static SocketCertificate make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
            byte[] name = der(
                    SEQUENCE,
                    der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), der(UTF8_STRING, ascii("Multimed")))));
            byte[] content = der(
                    SEQUENCE,
                    der(INTEGER, new byte[] {1}),
                    algorithm,
                    name,
                    der(
                            SEQUENCE,
                            der(UTC_TIME, ascii("200101000000Z")),
                            der(GENERALIZED_TIME, ascii("99991231235959Z"))),
                    name,
                    pair.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(content);
            byte[] certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
            return new SocketCertificate(
                    pem("CERTIFICATE", certificate),
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            all.write(0x82);
            all.write(length >> 8);
        } else if (length >= 0x80) {
            all.write(0x81);
        }
        all.write(length);
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, ascii("\n")).encodeToString(encoded)
                + "\n-----END " + kind + "-----\n";
    }
}
