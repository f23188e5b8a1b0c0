package io.multimed.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.config.EndpointOptions.Authentication;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestBinaries;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every hostile input that a client can send has the same consequences with Multimed and
 * with PostgreSQL itself: SQLSTATEs, and whether the connection survives.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class HostileInputTest {
    /** The inputs to which Multimed's answer differs from PostgreSQL's. */
    private static final Map<String, Reaction> OTHERWISE = Map.ofEntries(
            // PostgreSQL asks for the missing response once more, which no client needs.
            entry("21. a SASL message without a response", "FATAL 08P01", Reaction.CLOSED),
            // An impossible length closes the connection without a message, here as everywhere; PostgreSQL reports a
            // wrong password.
            entry("21. a SASL message of 70,000 bytes", Reaction.CLOSED),
            entry("21. a length of -1", Reaction.CLOSED),
            entry("21. a length of 1 GiB", Reaction.CLOSED),
            // PostgreSQL overlooks that the last byte is not the terminator (Multimed refuses it with 08P01).
            entry("6. another byte instead of the terminator", "FATAL 08P01", Reaction.CLOSED),
            // An impossible message ends the connection at once; requests before it stay unanswered.
            entry("41. an error, then an unknown type before Sync", "FATAL 08P01", Reaction.CLOSED),
            // Multimed would have to keep the text for the engines on which it may have to be prepared.
            entry("29. a Parse of 10 MB under a name", "ERROR 54000", "ReadyForQuery", Reaction.SURVIVES));

    private static final int PROTOCOL_3_2_SINCE = 18;

    /** Answers that PostgreSQL gives only since 18, and Multimed with engines of any release. */
    private static final Map<String, Reaction> NEW_IN_18 = Map.ofEntries(
            Map.entry("8. protocol 3.1", Reaction.welcome()),
            Map.entry("8. protocol 3.2", Reaction.welcome()),
            entry("45. the key of protocol 3.2", "32 bytes"),
            entry("13. SSLRequest and start-up without waiting", "FATAL 08P01", Reaction.CLOSED),
            entry("13. GSSENCRequest and start-up without waiting", "FATAL 08P01", Reaction.CLOSED),
            entry("13. SSLRequest, GSSENCRequest, SSLRequest, start-up", "FATAL 0A000", Reaction.CLOSED));

    private static Map.Entry<String, Reaction> entry(String attack, String... said) {
        return Map.entry(attack, Reaction.of(said));
    }

    private PlainPostgres plain;
    private PostgresEndpoint trusting;
    private PostgresEndpoint asking;

    @BeforeAll
    void start() throws Exception {
        plain = PlainServer.get();
        RunningMultimed multimed = RunningMultimed.shared();
        try (WireSession owner = WireSession.open(multimed.master(), "postgres", "postgres", Duration.ofSeconds(30))) {
            owner.rows(PlainServer.CREATE_SCRAM_USER);
        }
        trusting = multimed.endpoint(options -> with(options, Authentication.TRUST), UnaryOperator.identity());
        asking = multimed.endpoint(options -> with(options, Authentication.SCRAM_SHA_256), UnaryOperator.identity());
    }

    @AfterAll
    void stop() {
        trusting.close();
        asking.close();
    }

    private static EndpointOptions with(EndpointOptions options, Authentication authentication) {
        return options.withAuthentication(authentication)
                .withTimeouts(options.timeouts().withAuthentication(PlainServer.AUTHENTICATION_TIMEOUT));
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> beforeAuthentication() {
        return compared(StartupAttacks.all(), RunningMultimed.address(trusting));
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> duringAuthentication() {
        return compared(AuthenticationAttacks.all(), RunningMultimed.address(asking));
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> afterAuthentication() {
        return compared(SessionAttacks.all(), RunningMultimed.address(trusting));
    }

    private Stream<DynamicTest> compared(Stream<Attack> attacks, ServerAddress multimed) {
        return attacks.map(attack -> DynamicTest.dynamicTest(attack.toString(), () -> {
            Reaction expected = attack.input().send(plain.tcp());
            if (TestBinaries.get().major() < PROTOCOL_3_2_SINCE) {
                expected = NEW_IN_18.getOrDefault(attack.toString(), expected);
            }
            expected = OTHERWISE.getOrDefault(attack.toString(), expected);
            Reaction actual = attack.input().send(multimed);
            assertEquals(expected.refusedAtOnce(), actual.refusedAtOnce());
        }));
    }
}
