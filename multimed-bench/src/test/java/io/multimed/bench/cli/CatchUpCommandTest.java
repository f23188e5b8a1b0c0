package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench catch-up} as a user runs it, at the least scale. */
class CatchUpCommandTest extends CommandTest {
    CatchUpCommandTest() {
        super("catch-up");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--backlog: must be from 1 to 100000, not 0", "--backlog", "0");
        assertRefused(2, "--unique: must be from 0 to 8", "--unique", "9");
    }

    @Test
    void aBacklogIsAppliedByEachKindOfCopyWhichIsComparedAfterwards() throws Exception {
        try (ProgramProcess command = startLeast("--backlog", "500", "--unique", "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(
                    table.lines()
                            .anyMatch(line -> line.startsWith("rows applied while catching up ")
                                    && line.matches(".* [1-9][\\d.]+( +[1-9][\\d.]+ \\(x [\\d.]+\\)){2}")),
                    table);
        }
        for (String result : validResults(3)) {
            assertTrue(result.contains("commit visible after, idle, p99"), result);
            assertTrue(result.matches("(?s).*(copy-1|bestsellers|satellite-1) holds the Master's rows.*"), result);
        }
        assertDrawn("TPC-W catch up, 2 clients");
    }
}
