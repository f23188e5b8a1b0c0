package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench interaction} as a user runs it, at the least scale. */
class BenchInteractionTest extends BenchCommandTest {
    BenchInteractionTest() {
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
        try (Command command = start(
                "--heavy",
                "0,2",
                "--against",
                "standalone",
                "--ebs",
                "1",
                "--items",
                "1000",
                "--clients",
                "2",
                "--warmup",
                "1",
                "--time",
                "2",
                "--runs",
                "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            assertTrue(
                    command.printed().contains("tpcw load interaction, p99 in ms by number of heavy clients"),
                    command.printed());
        }
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(4, results.size());
        for (String result : results) {
            assertTrue(result.contains("\"valid\" : true"), result);
        }
        Command.run(0, "bench", "report", "--results", out.toString());
        String page = Files.readString(out.resolve("report.html"));
        assertTrue(page.contains("alt=\"Latency of short interactions by number of heavy clients\""), "no chart");
    }
}
