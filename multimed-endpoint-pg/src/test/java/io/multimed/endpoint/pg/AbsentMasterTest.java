package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Master that went away and does not return in time. */
@Timeout(60)
class AbsentMasterTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withTimeouts(options.timeouts().withMaster(Duration.ofMillis(300))));

    @Test
    void whoNeedsItIsToldThatItIsNotAvailableNow() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE t (i int)");
            // The engine may still be asked for the state left by the statement; the session would then receive the
            // engine's final error.
            EndpointTest.await(() -> multimed.master.active() == 0);
            multimed.engine.close();
            // Before that, the statement would be sent on the old connection and receive the engine's final error
            // waiting there.
            EndpointTest.await(() ->
                    multimed.endpoint.backends(multimed.master).stream().allMatch(backends -> backends.size() == 0));
            session.send(FrontendBytes.query("INSERT INTO t VALUES (1)"));
            List<Message> last = session.client().readToEnd();
            assertEquals(1, last.size(), last::toString);
            assertEquals("57P03", last.getFirst().sqlState());
        }
    }

    @Test
    void whoLogsInIsToldSoToo() throws Exception {
        multimed.engine.close();
        SQLException refused = assertThrows(SQLException.class, () -> {
            try (Connection connection = multimed.connect()) {
                connection.isValid(1);
            }
        });
        assertEquals("57P03", refused.getSQLState());
    }
}
