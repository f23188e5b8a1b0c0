package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.multimed.testkit.process.ProgramProcess;
import org.junit.jupiter.api.Test;

/** {@code bench tpcw} against each form of one PostgreSQL, with settings of Satellites. */
class BaselinesTest extends CommandTest {
    BaselinesTest() {
        super("tpcw");
    }

    @Test
    void settingsThatCannotBeAreReported() throws Exception {
        assertRefused(2, "--satellite-settings: must be name=value", "--satellite-settings", "jit");
        try (ProgramProcess command =
                startLeast("--satellite-settings", "no_such_setting=1", "--against", "multimed")) {
            assertEquals(1, command.awaitExit(), command.errors());
            assertTrue(command.errors().contains("no_such_setting"), command.errors());
        }
    }

    /** One series, since each of its tests would start the same systems again. */
    @Test
    void eachSystemIsMeasuredWithItsOwnSettings() throws Exception {
        try (ProgramProcess command = startLeast(
                "--satellite-settings",
                "work_mem=7MB,jit=off",
                "--against",
                "standalone,standalone-tuned,standalone-undurable",
                "--clients",
                "4",
                "--time",
                "2")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        for (String result : validResults(4)) {
            JsonNode run = new ObjectMapper().readTree(result);
            String system = run.required("system").asText();
            assertEquals(system.equals("standalone"), result.contains("default planner settings"), result);
            // The tuned one, of whichever durability, has the settings of Satellites.
            assertEquals(!system.equals("standalone"), result.contains("\"work_mem\" : \"7MB\""), result);
            assertEquals(!system.equals("standalone"), result.contains("\"random_page_cost\" : \"1.1\""), result);
            assertTrue(result.contains("\"satellite settings\" : \"{work_mem=7MB, jit=off}\""), result);
            // Multimed's Master acknowledges only commits that are on disk.
            assertEquals(!system.equals("standalone-undurable"), result.contains("\"fsync\" : \"on\""), result);
            assertEquals(system.equals("multimed"), result.contains("satellite-1 holds the Master's rows"), result);
            assertLookedInto(run.required("measured"), result);
        }
    }

    private static void assertLookedInto(JsonNode measured, String result) {
        JsonNode inside = measured.required("inside");
        assertTrue(inside.required("walBytes").asLong() > 0, result);
        JsonNode switches = measured.required("contextSwitches")
                .required(inside.required("master").asText());
        assertTrue(switches.required("voluntary").asLong() > 0, result);
        for (JsonNode node : inside.required("nodes")) {
            assertTrue(node.required("looks").asInt() > 0, result);
        }
    }
}
