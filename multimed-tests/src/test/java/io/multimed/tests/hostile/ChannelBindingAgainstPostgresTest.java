package io.multimed.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions.Authentication;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ScramClient;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.TlsClient;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.ServedCertificate;
import io.multimed.tests.server.TestBinaries;
import io.netty.handler.ssl.SslContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The answers to SCRAM over TLS, with and without channel binding, compared word for word with those of PostgreSQL with the
 * same certificate.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class ChannelBindingAgainstPostgresTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ROLE = "bound_user";
    private static final String PASSWORD = "correct horse";
    private static final String CREATE_ROLE = "CREATE ROLE " + ROLE + " LOGIN PASSWORD '" + PASSWORD + "'";

    private static final String UNBOUND = "SCRAM-SHA-256";
    private static final String BOUND = "SCRAM-SHA-256-PLUS";
    private static final String HEADER = "p=tls-server-end-point,,";
    private static final byte[] NOTHING = {};

    private PlainPostgres plain;
    private PostgresEndpoint endpoint;

    @BeforeAll
    void start() throws Exception {
        plain = PlainPostgres.start(
                TestBinaries.get().directory(), Map.of(), List.of("hostssl all " + ROLE + " all scram-sha-256"));
        RunningMultimed multimed = RunningMultimed.shared();
        for (ServerAddress server : List.of(plain.unix(), multimed.master())) {
            try (WireSession owner = WireSession.open(server, "postgres", "postgres", PATIENCE)) {
                owner.rows(CREATE_ROLE);
            }
        }
        try (TestCertificate certificate = TestCertificate.make("-keyalg", "EC", "-sigalg", "SHA384withECDSA")) {
            plain.speakTls(certificate.certificate(), certificate.key());
            SslContext context = ServedCertificate.context(certificate);
            endpoint = multimed.endpoint(
                    options -> options.withTls(context).withAuthentication(Authentication.SCRAM_SHA_256),
                    UnaryOperator.identity());
        }
    }

    @AfterAll
    void stop() throws Exception {
        endpoint.close();
        plain.close();
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().master(), "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP ROLE " + ROLE);
        }
    }

    /** A client, made from the server's certificate. */
    private interface Client {
        ScramClient with(byte[] hash);
    }

    /** Changes the client-final-message. */
    private interface Last extends UnaryOperator<String> {}

    private static byte[] hash(TlsClient tls) throws Exception {
        return MessageDigest.getInstance("SHA-384").digest(tls.certificate().getEncoded());
    }

    private static Client says(String mechanism, String header) {
        return hash -> new ScramClient(PASSWORD, mechanism, header, header.startsWith("p") ? hash : NOTHING);
    }

    private static Client says(String mechanism, String header, byte[] binding) {
        return hash -> new ScramClient(PASSWORD, mechanism, header, binding);
    }

    @TestFactory
    Stream<DynamicTest> firstMessagesAreAnsweredAsByPostgresql() {
        return Map.ofEntries(
                        Map.entry("bound", says(BOUND, HEADER)),
                        Map.entry("not bound", says(UNBOUND, "n,,")),
                        Map.entry("a wrong password, bound", (Client)
                                hash -> new ScramClient("wrong", BOUND, HEADER, hash)),
                        Map.entry("another certificate's hash", says(BOUND, HEADER, new byte[48])),
                        Map.entry("half of the hash", (Client)
                                hash -> new ScramClient(PASSWORD, BOUND, HEADER, Arrays.copyOf(hash, 24))),
                        Map.entry("no hash", says(BOUND, HEADER, NOTHING)),
                        Map.entry("the offer was not seen", says(UNBOUND, "y,,")),
                        Map.entry("bound by name alone", says(BOUND, "n,,")),
                        Map.entry("bound by name, and the offer was not seen", says(BOUND, "y,,")),
                        Map.entry("bound, but not by name", says(UNBOUND, HEADER)),
                        Map.entry("a hash that was not announced", says(UNBOUND, "n,,", new byte[48])),
                        Map.entry("tls-unique", says(BOUND, "p=tls-unique,,")),
                        Map.entry("tls-exporter", says(BOUND, "p=tls-exporter,,")),
                        Map.entry(
                                "a type that cannot be printed", says(BOUND, "p=\u0001\u007f" + "x".repeat(60) + ",,")),
                        Map.entry("no type", says(BOUND, "p=,,")),
                        Map.entry("no equals sign", says(BOUND, "p,,")),
                        Map.entry("an unknown flag", says(BOUND, "q,,")),
                        Map.entry("a flag that cannot be printed", says(UNBOUND, "\u0002,,")),
                        Map.entry("no comma", says(UNBOUND, "nn,")),
                        Map.entry("an authorization identity", says(BOUND, "p=tls-server-end-point,a=other,")),
                        Map.entry("an attribute in the header", says(UNBOUND, "n,b=other,")),
                        Map.entry("a mandatory extension", says(BOUND, HEADER + "m=x,")),
                        Map.entry("another mechanism", says("SCRAM-SHA-1-PLUS", HEADER)))
                .entrySet()
                .stream()
                .map(entry -> compared(entry.getKey(), entry.getValue(), last -> last));
    }

    @TestFactory
    Stream<DynamicTest> lastMessagesAreAnsweredAsByPostgresql() {
        return Map.<String, Last>ofEntries(
                        Map.entry("another binding", last -> last.replaceFirst("c=[^,]*", "c=eSws")),
                        Map.entry("that of no binding", last -> last.replaceFirst("c=[^,]*", "c=biws")),
                        Map.entry("none", last -> last.replaceFirst("c=[^,]*,", "")),
                        Map.entry("an empty one", last -> last.replaceFirst("c=[^,]*", "c=")),
                        Map.entry("another nonce", last -> last.replaceFirst("r=", "r=x")),
                        Map.entry("an extension that is not proved", last -> last.replaceFirst(",p=", ",x=y,p=")),
                        Map.entry("an attribute that is none", last -> last.replaceFirst(",p=", ",1=y,p=")),
                        Map.entry("an attribute without a value", last -> last.replaceFirst(",p=", ",x,p=")),
                        Map.entry("no proof", last -> last.replaceFirst(",p=.*", "")),
                        Map.entry("a short proof", last -> last.replaceFirst(",p=.*", ",p=QUJD")),
                        Map.entry("something behind the proof", last -> last + ",x=y"),
                        Map.entry("nothing", last -> ""),
                        Map.entry("a NUL", last -> last + "\0"))
                .entrySet()
                .stream()
                .flatMap(entry -> Stream.of(
                        compared(entry.getKey() + ", bound", says(BOUND, HEADER), entry.getValue()),
                        compared(entry.getKey() + ", not bound", says(UNBOUND, "n,,"), entry.getValue())));
    }

    private DynamicTest compared(String name, Client client, Last last) {
        return DynamicTest.dynamicTest(name, () -> {
            List<String> expected = conversation(plain.tcp(), TlsClient.context(), client, last);
            assertEquals("SASL " + BOUND + " " + UNBOUND, expected.getFirst());
            assertEquals(expected, conversation(RunningMultimed.address(endpoint), TlsClient.context(), client, last));
        });
    }

    /** Returns the server's answers without their random parts. */
    private static List<String> conversation(ServerAddress address, SSLContext context, Client client, Last last)
            throws Exception {
        try (TlsClient tls = TlsClient.asking(address, context)) {
            return conversation(tls, client.with(hash(tls)), last);
        }
    }

    private static List<String> conversation(TlsClient tls, ScramClient scram, Last last) throws Exception {
        List<String> said = new ArrayList<>();
        tls.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", ROLE, "database", "postgres")));
        try {
            while (true) {
                Message message = tls.read();
                if (message.type() == 'E') {
                    Map<Character, String> fields = message.fields();
                    said.add(String.join(
                            " | ",
                            String.valueOf(fields.get('S')),
                            message.sqlState(),
                            String.valueOf(fields.get('M')),
                            String.valueOf(fields.get('D'))));
                } else if (message.type() == 'R') {
                    answer(tls, scram, last, message, said);
                } else {
                    said.add("welcome");
                    return said;
                }
            }
        } catch (ConnectionEnded end) {
            said.add("closed");
            return said;
        }
    }

    private static void answer(TlsClient tls, ScramClient scram, Last last, Message message, List<String> said)
            throws Exception {
        switch (message.reader().getInt()) {
            case 10 -> {
                said.add(message.toString().replaceFirst("Authentication ", ""));
                tls.send(scram.first());
            }
            case 11 -> {
                said.add("continue");
                String text = last.apply(scram.lastText(message, true));
                tls.send(FrontendBytes.message('p', text.getBytes(StandardCharsets.UTF_8)));
            }
            case 12 -> said.add(scram.accepts(message) ? "final" : "another's signature");
            default -> said.add("ok");
        }
    }

    /** The certificate is that of the session's beginning, and is not sent again. */
    @Test
    void holdsWhereTheSessionOfTlsIsResumed() throws Exception {
        SSLContext context = TlsClient.context();
        long begun = 0;
        for (int connection = 1; connection <= 3; connection++) {
            try (TlsClient tls = TlsClient.asking(RunningMultimed.address(endpoint), context)) {
                List<String> said = conversation(tls, says(BOUND, HEADER).with(hash(tls)), last -> last);
                assertEquals("welcome", said.getLast());
                begun = begun == 0 ? tls.session().getCreationTime() : begun;
                assertEquals(begun, tls.session().getCreationTime(), "not resumed");
            }
        }
    }
}
