package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads that have been measured as long: engine processes that execute them leave the processors to others. */
@Timeout(60)
class MeasuredReadsTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private final EveryReadTakesLong processes = new EveryReadTakesLong();

    @BeforeEach
    void measure() throws Exception {
        multimed.processes = processes;
        multimed.restartEndpoint(UnaryOperator.identity());
    }

    @Test
    void areThoseThatFailedTheFirstTimes() throws Exception {
        try (WireSession client = multimed.open()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("22012", client.query("SELECT 1 / 0").getFirst().sqlState());
            }
            for (int i = 0; i < 3; i++) {
                assertEquals("1", client.value("SELECT 1 / 1"));
                assertTrue(processes.yielding.isEmpty());
            }
            assertEquals("1", client.value("SELECT 1 / 1"));
            assertFalse(processes.yielding.isEmpty());
        }
    }
}
