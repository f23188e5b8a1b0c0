package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench all} as a user runs it, at the least scale, until the first run is done. */
class AllCommandTest extends CommandTest {
    AllCommandTest() {
        super("all");
    }

    @Test
    void badInputIsToldBeforeAnythingIsRun() throws Exception {
        assertRefused(2, "--within: must be a time such as 40m or 2h, not 'soon'", "--within", "soon");
        assertRefused(2, "--shrink: must be from 1 to 100, not 0", "--shrink", "0");
        assertRefused(2, "--shrink: must be from 1 to 100, not 500", "--shrink", "500");
        assertRefused(
                1, "--within: 1 minutes are too few for the first experiment, which takes about", "--within", "1m");
    }

    @Test
    void anInterruptLeavesAReportAndTheSameCommandGoesOnBehindIt() throws Exception {
        String[] least = {"--within", "30m", "--ebs", "1", "--items", "1000", "--shrink", "100"};
        try (ProgramProcess command = start(least)) {
            Await.until(
                    "the first run's clients are at work",
                    () -> backends(command).count() > 4);
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
            assertTrue(command.errors().contains("runs of 10 s after a warm-up of 15 s"), command.errors());
            assertTrue(
                    command.errors().contains("./multimed bench tpcw --mix browsing,shopping,ordering"),
                    command.errors());
        }
        assertEquals(List.of(), left(work));
        String page = Files.readString(out.resolve("report.html"));
        assertTrue(page.contains("interrupted; the same command goes on where it was"), page);
        assertTrue(Files.exists(out.resolve("medians.csv")));
        finish("standalone");
        try (ProgramProcess command = start(least)) {
            Await.until("the database is loaded", () -> command.errors().contains("multimed: loaded "));
            Await.until(
                    "the second run is at work",
                    () -> command.errors().contains(": tpcw browsing, 64-clients, standalone-tuned: "));
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
            assertFalse(command.errors().contains(": tpcw browsing, 64-clients, standalone: "), command.errors());
        }
    }

    /** Makes the only result, which was interrupted, one that has run its time: that would take half a minute. */
    private void finish(String system) throws IOException {
        Path file = left(out).stream()
                .filter(path -> path.toString().endsWith("-1-" + system + ".json"))
                .findFirst()
                .orElseThrow();
        ObjectNode run = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        run.put("interrupted", false);
        run.putArray("checks").addObject().put("invariant", "rows are whole").put("contradiction", "");
        new ObjectMapper().writeValue(file.toFile(), run);
    }
}
