package io.multimed.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** TLS, asked for and direct: RELIABILITY.md, section 4, 12 to 15. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PROTOCOL = "postgresql";

    private PostgresEndpoint endpoint;

    @BeforeAll
    void start() throws Exception {
        SslContext certificate = TestCertificate.context();
        endpoint = RunningMultimed.shared().endpoint(options -> options.withTls(certificate), UnaryOperator.identity());
    }

    @AfterAll
    void stop() {
        endpoint.close();
    }

    private ServerAddress address() {
        return RunningMultimed.address(endpoint);
    }

    private SSLSocket handshaken(Socket socket, String... protocols) throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        SSLSocket tls =
                (SSLSocket) trusting.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        tls.setSoTimeout((int) PATIENCE.toMillis());
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return tls;
    }

    private Socket connected() throws IOException {
        return new Socket("127.0.0.1", endpoint.address().getPort());
    }

    private static byte[] startup() {
        return Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", "postgres", "database", "postgres"));
    }

    /** The types of the messages up to ReadyForQuery or an error. */
    private static char lastAnswer(SSLSocket tls) throws IOException {
        DataInputStream in = new DataInputStream(tls.getInputStream());
        while (true) {
            char type = (char) in.readUnsignedByte();
            in.skipNBytes(in.readInt() - 4L);
            if (type == 'Z' || type == 'E') {
                return type;
            }
        }
    }

    @Test
    void isSpokenWhenAskedFor() throws Exception {
        try (Socket socket = connected()) {
            socket.getOutputStream().write(Frontend.request(Frontend.SSL_REQUEST));
            assertEquals('S', socket.getInputStream().read());
            try (SSLSocket tls = handshaken(socket)) {
                tls.getOutputStream().write(startup());
                assertEquals('Z', lastAnswer(tls));
            }
        }
    }

    @Test
    void isSpokenDirectlyWithTheProtocolsName() throws Exception {
        try (SSLSocket tls = handshaken(connected(), PROTOCOL)) {
            assertEquals(PROTOCOL, tls.getApplicationProtocol());
            tls.getOutputStream().write(startup());
            assertEquals('Z', lastAnswer(tls));
        }
    }

    /** A web page could make a browser speak to the server; it cannot make it name this protocol. */
    @Test
    void isNotSpokenDirectlyWithoutIt() throws Exception {
        for (String[] protocols : new String[][] {{}, {"http/1.1"}, {"h2", "http/1.1"}}) {
            assertThrows(
                    IOException.class,
                    () -> {
                        try (SSLSocket tls = handshaken(connected(), protocols)) {
                            tls.getOutputStream().write(startup());
                            lastAnswer(tls);
                        }
                    },
                    String.join(",", protocols));
        }
    }

    @Test
    void isNotAskedForASecondTimeWithin() throws Exception {
        try (SSLSocket tls = handshaken(connected(), PROTOCOL)) {
            tls.getOutputStream().write(Frontend.request(Frontend.SSL_REQUEST));
            assertEquals('E', lastAnswer(tls));
        }
    }

    /** CVE-2021-23214: what was sent in the clear must not count as sent under TLS. */
    @Test
    void takesNothingThatCameInTheClearBehindTheRequest() throws Exception {
        try (WireClient client = WireClient.connect(address(), PATIENCE)) {
            client.send(Frontend.request(Frontend.SSL_REQUEST), startup());
            assertEquals(Answer.of("FATAL 08P01", Answer.CLOSED), Answer.untilClosed(client));
        }
    }

    @Test
    void aHandshakeThatIsNoneEndsTheConnectionAlone() throws Exception {
        try (WireClient client = WireClient.connect(address(), PATIENCE)) {
            client.send(StartupAttacks.tlsClientHello());
            client.readToEnd();
        } catch (IOException reset) {
            assertTrue(reset.getMessage() != null);
        }
        isSpokenWhenAskedFor();
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
