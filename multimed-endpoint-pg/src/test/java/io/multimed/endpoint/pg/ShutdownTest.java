package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients hear when Multimed ends. */
@Timeout(60)
class ShutdownTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void idleClientsAndThoseInATransactionAreToldAsPostgresqlTellsThem() throws Exception {
        try (WireSession idle = multimed.open();
                WireSession inTransaction = multimed.open()) {
            idle.rows("SELECT 1");
            inTransaction.rows("BEGIN; SELECT pg_current_xact_id()");
            multimed.restartEndpoint(options -> options);
            assertToldOfTheShutdown(idle);
            assertToldOfTheShutdown(inTransaction);
        }
    }

    private static void assertToldOfTheShutdown(WireSession session) throws Exception {
        Message last = session.client().readToEnd().getLast();
        assertEquals("57P01", last.sqlState());
    }
}
