package io.multimed.server.tls;

import io.multimed.server.startup.StartException;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The files of an endpoint's TLS, all PEM.
 *
 * @param certificate chain, the server's own first
 * @param key PKCS#8
 * @param clientCa certificates of authorities whose certificates clients may present; empty if clients are not asked for any
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {

    /**
     * Reads the files.
     *
     * @param name of the option or of the table of the configuration, for the message
     * @param applicationProtocols by ALPN, those of the endpoint; none if it does not use ALPN
     * @throws StartException if they cannot be used, or are not those of one another
     */
    public SslContext context(String name, String... applicationProtocols) throws StartException {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .protocols("TLSv1.3", "TLSv1.2");
            if (applicationProtocols.length > 0) {
                builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        applicationProtocols));
            }
            if (clientCa.isPresent()) {
                // A login decides whether a client needs a certificate. One that a client presents must be good in any
                // case.
                builder.trustManager(clientCa.get().toFile()).clientAuth(ClientAuth.OPTIONAL);
            }
            SslContext context = builder.build();
            KeyPairCheck.requirePair(certificate, key);
            return context;
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException(
                    name + ": " + certificate + " and " + key
                            + " are not a certificate and its private key in PEM form"
                            + clientCa.map(file -> ", or " + file + " are not certificates in PEM form")
                                    .orElse("")
                            + ": " + e.getMessage(),
                    e);
        }
    }

    /** Returns hashes of the files' contents; 0 for a file that cannot be read. */
    public List<Integer> contents() {
        List<Path> files = new ArrayList<>(List.of(certificate, key));
        clientCa.ifPresent(files::add);
        List<Integer> contents = new ArrayList<>();
        for (Path file : files) {
            try {
                contents.add(Arrays.hashCode(Files.readAllBytes(file)));
            } catch (IOException e) {
                contents.add(0);
            }
        }
        return contents;
    }
}
