package io.multimed.server.console;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpsConfigurator;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;

/** Who may see metrics and console on their port, and that nobody else does. */
public final class ConsoleAccess {
    /** The user name for HTTP's basic authentication. */
    public static final String USER = "multimed";

    private ConsoleAccess() {}

    /**
     * Returns a check for the password in this file, its first line.
     *
     * @throws IOException if there is none
     */
    public static Authenticator password(Path file) throws IOException {
        byte[] expected = Files.readString(file)
                .lines()
                .findFirst()
                .filter(line -> !line.isBlank())
                .orElseThrow(() -> new IOException("its first line is empty"))
                .getBytes(StandardCharsets.UTF_8);
        return new BasicAuthenticator("Multimed", StandardCharsets.UTF_8) {
            @Override
            public boolean checkCredentials(String user, String password) {
                boolean matches = MessageDigest.isEqual(expected, password.getBytes(StandardCharsets.UTF_8));
                return user.equals(USER) && matches;
            }
        };
    }

    /**
     * Returns the configuration for TLS.
     *
     * @param certificate PEM file of the chain
     * @param key PEM file, PKCS#8
     * @throws IOException if they are not that
     */
    public static HttpsConfigurator tls(Path certificate, Path key) throws IOException {
        try {
            SslContext context = SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .sslProvider(SslProvider.JDK)
                    .build();
            return new HttpsConfigurator(((JdkSslContext) context).context());
        } catch (IllegalArgumentException e) {
            throw new IOException("not a certificate and its private key in PEM form: " + e.getMessage(), e);
        }
    }
}
