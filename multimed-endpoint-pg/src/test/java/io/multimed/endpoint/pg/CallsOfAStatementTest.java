package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.calls.CallTrace;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A known statement touches few classes and methods of the middleware on its way to the engine and back. Each bound is the number
 * reached, with a little room. A change that exceeds it makes every plain read pay for something that may not concern it.
 */
@Tag("slow")
@Timeout(120)
class CallsOfAStatementTest {
    private static final int WARMUP = 100;
    private static final int REPETITIONS = 10;
    /** Assertions ask every feature of a session before each plain read. */
    private static final Set<String> ASSERTIONS = Set.of("isConfirmed");

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void aReadByQueryMessage() throws Exception {
        try (WireSession client = multimed.open()) {
            assertEquals("1", client.value("SELECT 1"));
            assertFew(250, 72, () -> client.query("SELECT 1"));
        }
    }

    @Test
    void aReadByExtendedQueryMessages() throws Exception {
        try (WireSession client = multimed.open()) {
            assertFew(320, 83, () -> {
                client.send(
                        FrontendBytes.parse("", "SELECT 1"),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
                return client.ready();
            });
        }
    }

    @Test
    void aReadPreparedBefore() throws Exception {
        try (WireSession client = multimed.open()) {
            client.send(FrontendBytes.parse("s", "SELECT 1"), FrontendBytes.sync());
            client.ready();
            assertFew(252, 74, () -> {
                client.send(
                        FrontendBytes.bind("", "s"),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
                return client.ready();
            });
        }
    }

    @Test
    void anInsertByQueryMessage() throws Exception {
        try (WireSession client = multimed.open()) {
            client.query("CREATE TABLE traced (x int)");
            assertFew(525, 101, () -> client.query("INSERT INTO traced VALUES (1)"));
        }
    }

    private static void assertFew(int mostCalls, int mostClasses, Callable<?> statement) throws Exception {
        for (int i = 0; i < WARMUP; i++) {
            statement.call();
        }
        CallTrace trace = CallTrace.ofFewest(REPETITIONS, ASSERTIONS, statement);
        assertAll(
                () -> assertTrue(trace.calls() <= mostCalls, () -> trace.calls() + " calls\n" + trace.tree()),
                () -> assertTrue(
                        trace.classes() <= mostClasses, () -> trace.classes() + " classes\n" + trace.byClass()));
    }
}
