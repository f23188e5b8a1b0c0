package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench scale} as a user runs it, at the least scale. */
class ScaleCommandTest extends CommandTest {
    ScaleCommandTest() {
        super("scale");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--satellites: their number follows from --cores", "--satellites", "2");
        assertRefused(2, "--engine-cores: must be from 1 to 64, not 0", "--engine-cores", "0");
    }

    @Test
    void numbersOfCoresAreFoursUnlessThereAreFew() {
        assertEquals(List.of(1, 2), Benchmarks.scaledCores(2));
        assertEquals(List.of(1, 2, 4, 8), Benchmarks.scaledCores(8));
        assertEquals(List.of(4, 8, 12, 16), Benchmarks.scaledCores(16));
        assertEquals(List.of(4, 8, 12, 16, 20), Benchmarks.scaledCores(22));
    }

    @Test
    void systemsOnMoreAndMoreCoresAreOneCurve() throws Exception {
        try (ProgramProcess command = startLeast("--mix", "shopping", "--cores", "1,2", "--against", "standalone")) {
            assertEquals(0, command.awaitExit(), command.errors());
            assertTrue(command.printed().contains("by number of processors"), command.printed());
        }
        validResults(4);
        assertDrawn("TPC-W shopping: throughput by number of processors");
    }
}
