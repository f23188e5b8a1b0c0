package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench interaction} as a user runs it, at the least scale. */
class InteractionCommandTest extends CommandTest {
    InteractionCommandTest() {
        super("interaction");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--heavy: must be numbers such as", "--heavy", "some");
        assertRefused(2, "--heavy: must be from 0 to 20000", "--heavy", "20001");
        assertRefused(2, "--items: must be one of 1000, 10000", "--items", "12");
        assertRefused(1, "more than the", "--ebs", "1", "--items", "1000", "--clients", "1", "--heavy", "0,20000");
    }

    @Test
    void shortInteractionsAreMeasuredBesideMoreAndMoreHeavyOnes() throws Exception {
        try (ProgramProcess command = startLeast("--heavy", "0,2", "--against", "multimed")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.contains("tpcw load interaction, p99 in ms by number of heavy clients"), table);
        }
        validResults(2);
        assertDrawn("TPC-W load interaction: latency of short interactions by number of heavy clients");
    }
}
