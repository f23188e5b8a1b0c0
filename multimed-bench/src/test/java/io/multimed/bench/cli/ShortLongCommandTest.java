package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench short-long} as a user runs it, at the least scale. */
class ShortLongCommandTest extends CommandTest {
    ShortLongCommandTest() {
        super("short-long");
    }

    @Test
    void shortInteractionsAndBestSellersAreCountedApart() throws Exception {
        try (ProgramProcess command = startLeast("--heavy", "1", "--against", "standalone")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.contains("Shopping Cart"), table);
            assertTrue(table.lines().anyMatch(line -> line.matches("heavy interactions +1/s +[1-9].* \\(x .*")), table);
            assertTrue(table.lines().anyMatch(line -> line.matches("short interactions +1/s +[1-9].* \\(x .*")), table);
        }
        validResults(2);
        assertDrawn("TPC-W short beside best sellers, 2 clients");
    }
}
