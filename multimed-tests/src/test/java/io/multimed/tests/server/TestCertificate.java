package io.multimed.tests.server;

import io.multimed.endpoint.pg.client.TlsNegotiation;
import io.multimed.testkit.wire.TlsClient;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate of localhost, made by the JDK's own keytool.
 *
 * @param certificate a PEM file
 * @param key of its private key
 */
public record TestCertificate(Path certificate, Path key) implements AutoCloseable {
    private static final String PASSWORD = "changeit";

    /** Returns the TLS context of an endpoint. */
    public static SslContext context() throws Exception {
        try (TestCertificate made = make("-keyalg", "EC")) {
            return made.endpointContext();
        }
    }

    /**
     * @param kind keytool's options for the key and its signature; with {@code -signer ed25519} another certificate signs it
     */
    public static TestCertificate make(String... kind) throws Exception {
        return of("CN=localhost", kind);
    }

    /** Makes a certificate of another subject. */
    public static TestCertificate of(String subject, String... kind) throws Exception {
        Path directory = Files.createTempDirectory("multimed-certificate-");
        Path store = directory.resolve("store.p12");
        TestCertificate made = new TestCertificate(directory.resolve("server.crt"), directory.resolve("server.key"));
        try {
            if (List.of(kind).contains("-signer")) {
                keytool(store, "CN=localhost", "ed25519", "-keyalg", "Ed25519");
            }
            keytool(store, subject, "server", kind);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            pem(made.certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
            pem(
                    made.key,
                    "PRIVATE KEY",
                    keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
            return made;
        } catch (Exception e) {
            made.close();
            throw e;
        }
    }

    public SslContext endpointContext() throws IOException {
        return TlsNegotiation.context(certificate.toFile(), key.toFile());
    }

    @Override
    public void close() throws IOException {
        RunningMultimed.remove(certificate.getParent());
    }

    /** Returns the TLS context of a client that presents this certificate, and trusts every server. */
    public SSLContext clientContext() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(certificate.resolveSibling("store.p12"))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        // Its names of entries are those of the file; the names of PKIX are others.
        KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
        managers.init(keys, PASSWORD.toCharArray());
        return TlsClient.context(presenting(managers.getKeyManagers()[0]));
    }

    /** A client presents its certificate even if the server names only other authorities. */
    private static KeyManager presenting(KeyManager own) {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) own;
        return new X509ExtendedKeyManager() {
            @Override
            public String[] getClientAliases(String type, Principal[] issuers) {
                return new String[] {"server"};
            }

            @Override
            public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
                return "server";
            }

            @Override
            public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
                return "server";
            }

            @Override
            public String[] getServerAliases(String type, Principal[] issuers) {
                return new String[0];
            }

            @Override
            public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
                return null;
            }

            @Override
            public X509Certificate[] getCertificateChain(String alias) {
                return keys.getCertificateChain(alias);
            }

            @Override
            public PrivateKey getPrivateKey(String alias) {
                return keys.getPrivateKey(alias);
            }
        };
    }

    private static void keytool(Path store, String subject, String alias, String... kind)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/keytool",
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(kind));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
    }

    private static void pem(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8))
                                .encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }
}
