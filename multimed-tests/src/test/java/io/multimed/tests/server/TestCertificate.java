package io.multimed.tests.server;

import io.multimed.endpoint.pg.client.TlsNegotiation;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate of localhost that signs itself, made by the JDK's own keytool. */
public final class TestCertificate {
    private static final String PASSWORD = "changeit";

    private TestCertificate() {}

    /** What an endpoint speaks TLS with. */
    public static SslContext context() throws Exception {
        Path directory = Files.createTempDirectory("multimed-certificate-");
        Path store = directory.resolve("store.p12");
        Path certificate = directory.resolve("server.crt");
        Path key = directory.resolve("server.key");
        try {
            Process keytool = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/keytool",
                            "-genkeypair",
                            "-keyalg",
                            "EC",
                            "-alias",
                            "server",
                            "-dname",
                            "CN=localhost",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes());
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            pem(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
            pem(
                    key,
                    "PRIVATE KEY",
                    keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
            return TlsNegotiation.context(certificate.toFile(), key.toFile());
        } finally {
            RunningMultimed.remove(directory);
        }
    }

    private static void pem(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }
}
