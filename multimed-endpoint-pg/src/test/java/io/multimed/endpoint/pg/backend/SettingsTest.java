package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void nothingIsSaidBetweenEqualSettings() {
        Settings settings = new Settings(Map.of("work_mem", "4096"));
        assertEquals("", Settings.transition(settings, new Settings(Map.of("work_mem", "4096"))));
        assertEquals("", Settings.transition(Settings.NONE, Settings.NONE));
    }

    @Test
    void whatTheOtherHadIsResetAndWhatDiffersIsSet() {
        assertEquals(
                "RESET \"a\".\"b\";SELECT pg_catalog.set_config('work_mem','8192',false);",
                Settings.transition(
                        new Settings(Map.of("a.b", "1", "work_mem", "4096", "timezone", "UTC")),
                        new Settings(Map.of("work_mem", "8192", "timezone", "UTC"))));
    }

    @Test
    void whatIsUnknownIsResetAsAWhole() {
        assertEquals(
                "RESET ALL;SELECT pg_catalog.set_config('work_mem','8192',false);",
                Settings.transition(Settings.UNKNOWN, new Settings(Map.of("work_mem", "8192"))));
        assertEquals("RESET ALL;", Settings.transition(Settings.UNKNOWN, Settings.NONE));
    }

    @Test
    void valuesAreQuotedWhateverTheyHold() {
        assertEquals(
                "SELECT pg_catalog.set_config('app.x', E'it''s a \\\\ and a \"',false);",
                Settings.transition(Settings.NONE, new Settings(Map.of("app.x", "it's a \\ and a \""))));
    }
}
