package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The settings of Satellites, and the PostgreSQL that has them as well. */
class BenchTunedTest extends BenchCommandTest {
    BenchTunedTest() {
        super("tpcw");
    }

    @Test
    void settingsThatCannotBeAreToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--satellite-settings: must be name=value", "--satellite-settings", "jit");
        assertRefused(
                1,
                "no_such_setting",
                "--satellite-settings",
                "no_such_setting=1",
                "--against",
                "multimed",
                "--ebs",
                "1",
                "--items",
                "1000");
    }

    @Test
    void whatSatellitesAreGivenTheTunedPostgresHasToo() throws Exception {
        try (Command command = startLeast(
                "--satellite-settings", "work_mem=7MB,jit=off", "--against", "standalone,standalone-tuned")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        for (String result : validResults(3)) {
            boolean asItComes = result.contains("default planner settings");
            assertEquals(!asItComes, result.contains("\"work_mem\" : \"7MB\""), result);
            assertEquals(!asItComes, result.contains("\"random_page_cost\" : \"1.1\""), result);
            assertTrue(result.contains("\"satellite settings\" : \"{work_mem=7MB, jit=off}\""), result);
        }
    }

    @Test
    void oneBaselineIsAsLittleDurableAsASatelliteIs() throws Exception {
        try (Command command = startLeast("--against", "standalone-undurable")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        for (String result : validResults(2)) {
            boolean undurable = result.contains("\"system\" : \"standalone-undurable\"");
            // Multimed's Master acknowledges only commits that are on disk.
            assertEquals(!undurable, result.contains("\"fsync\" : \"on\""), result);
        }
    }
}
