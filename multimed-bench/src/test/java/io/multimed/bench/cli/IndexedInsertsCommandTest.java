package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench indexed-inserts} as a user runs it, on a small table. */
class IndexedInsertsCommandTest extends CommandTest {
    IndexedInsertsCommandTest() {
        super("indexed-inserts");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--reads: must be from 0 to 100, not 101", "--reads", "101");
        assertRefused(2, "--batch: must be from 1 to 100000, not 0", "--batch", "0");
    }

    @Test
    void aPartialSatelliteAloneHasTheIndexesAndExecutesTheReads() throws Exception {
        try (ProgramProcess command = startBriefly("--rows", "1000", "--against", "standalone,multimed-c2")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.lines().anyMatch(line -> line.matches("reads by an index +1/s( +[1-9].*){3}")), table);
        }
        String lean = validResults(3).stream()
                .filter(result -> result.contains("\"system\" : \"multimed-c2\""))
                .findFirst()
                .orElseThrow();
        assertTrue(lean.contains("reads run mostly on indexed"), lean);
        assertTrue(lean.contains("indexed holds the Master's rows"), lean);
        assertTrue(lean.contains("every acknowledged row is there, and no other"), lean);
        assertDrawn("Indexed inserts, 2 clients");
    }
}
