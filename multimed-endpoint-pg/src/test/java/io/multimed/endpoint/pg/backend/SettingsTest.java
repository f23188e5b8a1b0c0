package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void nothingIsSaidBetweenEqualSettings() {
        Settings settings = new Settings(Map.of("work_mem", "4096"));
        assertEquals("", Settings.transition(settings, new Settings(Map.of("work_mem", "4096")), true));
        assertEquals("", Settings.transition(Settings.NONE, Settings.NONE, true));
    }

    @Test
    void whatTheOtherHadIsResetAndWhatDiffersIsSet() {
        assertEquals(
                "RESET \"a\".\"b\";" + Settings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('work_mem','8192',false);",
                Settings.transition(
                        new Settings(Map.of("a.b", "1", "work_mem", "4096", "timezone", "UTC")),
                        new Settings(Map.of("work_mem", "8192", "timezone", "UTC")),
                        true));
    }

    @Test
    void whatIsUnknownIsResetAsAWhole() {
        assertEquals(
                "RESET ALL;" + Settings.READ_COMMITTED + "SELECT pg_catalog.set_config('work_mem','8192',false);",
                Settings.transition(Settings.UNKNOWN, new Settings(Map.of("work_mem", "8192")), true));
        assertEquals("RESET ALL;", Settings.transition(Settings.UNKNOWN, Settings.NONE, true));
    }

    @Test
    void valuesAreQuotedWhateverTheyHold() {
        assertEquals(
                Settings.READ_COMMITTED + "SELECT pg_catalog.set_config('app.x', E'it''s a \\\\ and a \"',false);",
                Settings.transition(Settings.NONE, new Settings(Map.of("app.x", "it's a \\ and a \"")), true));
    }

    @Test
    void valuesAreAsciiForWhoeverDoesNotSpeakUtf8() {
        Settings settings = new Settings(Map.of("app.x", "a\\ü€\uD83D\uDE00"));
        assertEquals(
                Settings.READ_COMMITTED + "SELECT pg_catalog.set_config('app.x', E'a\\\\ü€\uD83D\uDE00',false);",
                Settings.transition(Settings.NONE, settings, true));
        assertEquals(
                Settings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('app.x', E'a\\\\\\U000000FC\\U000020AC\\U0001F600',false);",
                Settings.transition(Settings.NONE, settings, false));
    }
}
