package io.multimed.tests.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Sessions whose transactions follow each other on one connection to the engine. */
class OneConnectionForAllTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** PostgreSQL lists the level of a transaction that is over among the session's settings, and refuses to reset it. */
    @Test
    void whatATransactionChoseForItselfIsNoSettingOfItsSession() throws Exception {
        try (PostgresEndpoint endpoint = RunningMultimed.shared()
                        .endpoint(
                                options -> options.withLimits(options.limits().withConnections(1, 1)),
                                UnaryOperator.identity());
                WireSession first = open(endpoint);
                WireSession second = open(endpoint)) {
            first.rows("BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET work_mem = '5MB'; COMMIT");
            assertEquals(
                    "4MB", second.value("SELECT current_setting('work_mem') WHERE pg_current_xact_id() IS NOT NULL"));
            assertEquals(
                    "5MB", first.value("SELECT current_setting('work_mem') WHERE pg_current_xact_id() IS NOT NULL"));
        }
    }

    private static WireSession open(PostgresEndpoint endpoint) throws IOException {
        return WireSession.open(RunningMultimed.address(endpoint), "postgres", "postgres", PATIENCE);
    }
}
