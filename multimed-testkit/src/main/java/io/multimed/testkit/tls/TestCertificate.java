package io.multimed.testkit.tls;

import io.multimed.testkit.process.TestDirectory;
import io.multimed.testkit.wire.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
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

/** A self-signed certificate of localhost, made by the JDK's own keytool. */
public final class TestCertificate implements AutoCloseable {
    private static final String PASSWORD = "changeit";

    private final TestDirectory directory;

    private TestCertificate(TestDirectory directory) {
        this.directory = directory;
    }

    /** Returns the PEM file. */
    public Path certificate() {
        return directory.resolve("server.crt");
    }

    /** Returns the PEM file of its private key. */
    public Path key() {
        return directory.resolve("server.key");
    }

    private Path store() {
        return directory.resolve("store.p12");
    }

    /**
     * @param kind keytool's options for the key and its signature; with {@code -signer ed25519} another certificate signs it
     */
    public static TestCertificate make(String... kind) throws Exception {
        return of("CN=localhost", kind);
    }

    /** Makes a certificate of another subject. */
    public static TestCertificate of(String subject, String... kind) throws Exception {
        TestCertificate made = new TestCertificate(new TestDirectory());
        Path store = made.store();
        try {
            if (List.of(kind).contains("-signer")) {
                keytool(store, "CN=localhost", "ed25519", "-keyalg", "Ed25519");
            }
            keytool(store, subject, "server", kind);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            pem(made.certificate(), "CERTIFICATE", keys.getCertificate("server").getEncoded());
            pem(
                    made.key(),
                    "PRIVATE KEY",
                    keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
            return made;
        } catch (Exception e) {
            made.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }

    /** Returns the TLS context of a client that presents this certificate, and trusts every server. */
    public SSLContext clientContext() throws Exception {
        return TlsClient.context(presenting(managers().getKeyManagers()[0]));
    }

    /** Returns the TLS context of a server that shows this certificate. */
    public SSLContext serverContext() throws IOException, GeneralSecurityException {
        return TlsClient.context(managers().getKeyManagers());
    }

    private KeyManagerFactory managers() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            keys.load(in, PASSWORD.toCharArray());
        }
        // Its names of entries are those of the file; the names of PKIX are others.
        KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
        managers.init(keys, PASSWORD.toCharArray());
        return managers;
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
