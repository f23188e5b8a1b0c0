package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench clone} as a user runs it, at the least scale. */
class CloneCommandTest extends CommandTest {
    CloneCommandTest() {
        super("clone");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--ebs: must be numbers such as", "--ebs", "ten");
        assertRefused(2, "--satellites: without one there is nothing to measure", "--satellites", "0");
        // The second size is too big, so the first one is not begun.
        assertRefused(1, "needs about", "--ebs", "1,100000", "--items", "1000");
    }

    @Test
    void aSatelliteThatLostItsMemoryIsCopiedWithAndWithoutLoad() throws Exception {
        try (ProgramProcess command = startBriefly("--ebs", "1,2", "--items", "1000")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.contains("copied a second, idle"), table);
            assertTrue(table.contains("interactions lost while copied"), table);
            assertTrue(table.contains("by estimated MB"), table);
        }
        for (String result : validResults(2)) {
            assertTrue(result.contains("satellite-1 holds the Master's rows"), result);
        }
        assertDrawn("TPC-W clone beside buying: time of a copy by estimated MB");
    }
}
