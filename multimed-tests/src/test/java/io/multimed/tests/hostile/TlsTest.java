package io.multimed.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.TlsClient;
import io.multimed.testkit.wire.WireClient;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.ServedCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** TLS, requested and direct: attacks 12 to 15. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PROTOCOL = "postgresql";

    private PostgresEndpoint endpoint;

    @BeforeAll
    void start() throws Exception {
        SslContext certificate = ServedCertificate.context();
        endpoint = RunningMultimed.shared().endpoint(options -> options.withTls(certificate), UnaryOperator.identity());
    }

    @AfterAll
    void stop() {
        endpoint.close();
    }

    private ServerAddress address() {
        return RunningMultimed.address(endpoint);
    }

    private TlsClient handshaken(Socket socket, String... protocols) throws Exception {
        return TlsClient.over(socket, TlsClient.context(), protocols);
    }

    private Socket connected() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort());
    }

    private static byte[] startup() {
        return FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "postgres"));
    }

    /** Returns the type of ReadyForQuery or of an error, whichever comes first. */
    private static char lastAnswer(TlsClient tls) throws IOException {
        while (true) {
            char type = tls.read().type();
            if (type == 'Z' || type == 'E') {
                return type;
            }
        }
    }

    @Test
    void isSpokenWhenAskedFor() throws Exception {
        try (TlsClient tls = TlsClient.asking(address(), TlsClient.context())) {
            tls.send(startup());
            assertEquals('Z', lastAnswer(tls));
        }
    }

    @Test
    void isSpokenDirectlyWithTheProtocolsName() throws Exception {
        try (TlsClient tls = handshaken(connected(), PROTOCOL)) {
            assertEquals(PROTOCOL, tls.protocol());
            tls.send(startup());
            assertEquals('Z', lastAnswer(tls));
        }
    }

    /** A web page could make a browser connect to the server; it cannot make it name this protocol. */
    @Test
    void isNotSpokenDirectlyWithoutIt() throws Exception {
        for (String[] protocols : new String[][] {{}, {"http/1.1"}, {"h2", "http/1.1"}}) {
            assertThrows(
                    IOException.class,
                    () -> {
                        try (TlsClient tls = handshaken(connected(), protocols)) {
                            tls.send(startup());
                            lastAnswer(tls);
                        }
                    },
                    String.join(",", protocols));
        }
    }

    @Test
    void isNotAskedForASecondTimeWithin() throws Exception {
        try (TlsClient tls = handshaken(connected(), PROTOCOL)) {
            tls.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
            assertEquals('E', lastAnswer(tls));
        }
    }

    /** CVE-2021-23214: bytes that were sent in the clear must not count as sent under TLS. */
    @Test
    void takesNothingThatCameInTheClearBehindTheRequest() throws Exception {
        try (WireClient client = WireClient.connect(address(), PATIENCE)) {
            client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST), startup());
            assertEquals(Reaction.of("FATAL 08P01", Reaction.CLOSED), Reaction.untilClosed(client));
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
}
