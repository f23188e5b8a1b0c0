package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench freshness} as a user runs it, for seconds. */
class FreshnessCommandTest extends CommandTest {
    FreshnessCommandTest() {
        super("freshness");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--updates: must be from 0 to 100, not 101", "--updates", "101");
        assertRefused(2, "did you mean \"multimed-session\"?", "--against", "multimed-sesion");
        assertRefused(
                1,
                "multimed-c2 and multimed-c2-triggers and subscription have a copy of the tables that heavy reads need",
                "--against",
                "multimed-c2");
    }

    @Test
    void everyFreshnessKeepsWhatItPromisesAndShowsWhatItCosts() throws Exception {
        try (ProgramProcess command = startBriefly("--updates", "50")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.contains("commit visible after, p99"), table);
            assertTrue(table.contains("reads that waited"), table);
            assertTrue(table.contains("stale reads"), table);
        }
        List<String> results = validResults(3);
        String strong = "no read misses a commit acknowledged before it";
        assertEquals(
                1, results.stream().filter(result -> result.contains(strong)).count(), "strong");
        String session = "no session reads behind what it has seen";
        assertEquals(
                2, results.stream().filter(result -> result.contains(session)).count(), "strong and session");
        assertDrawn("Freshness, 2 clients");
    }
}
