package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that clients receive when Multimed ends. */
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

    @Test
    void readOnlyBlockMayGoOnUntilItsClientEndsIt() throws Exception {
        try (WireSession reader = multimed.open()) {
            reader.rows("BEGIN READ ONLY");
            reader.rows("SELECT 1");
            CompletableFuture<Void> drained = CompletableFuture.runAsync(() -> {
                try {
                    multimed.endpoint.drain(Duration.ofMinutes(1));
                } catch (InterruptedException e) {
                    throw new CompletionException(e);
                }
            });
            assertThrows(TimeoutException.class, () -> drained.get(300, TimeUnit.MILLISECONDS));
            assertEquals("2", reader.value("SELECT 2"));
            reader.rows("COMMIT");
            drained.get(20, TimeUnit.SECONDS);
        }
    }

    private static void assertToldOfTheShutdown(WireSession session) throws Exception {
        Message last = session.client().readToEnd().getLast();
        assertEquals("57P01", last.sqlState());
    }
}
