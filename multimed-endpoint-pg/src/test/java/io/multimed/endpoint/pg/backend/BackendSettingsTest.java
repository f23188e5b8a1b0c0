package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BackendSettingsTest {
    @Test
    void nothingIsSaidBetweenEqualSettings() {
        BackendSettings settings = new BackendSettings(Map.of("work_mem", "4096"));
        assertEquals("", BackendSettings.transition(settings, new BackendSettings(Map.of("work_mem", "4096")), true));
        assertEquals("", BackendSettings.transition(BackendSettings.NONE, BackendSettings.NONE, true));
    }

    @Test
    void whatTheOtherHadIsResetAndWhatDiffersIsSet() {
        assertEquals(
                "RESET \"a\".\"b\";" + BackendSettings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('work_mem','8192',false);",
                BackendSettings.transition(
                        new BackendSettings(Map.of("a.b", "1", "work_mem", "4096", "timezone", "UTC")),
                        new BackendSettings(Map.of("work_mem", "8192", "timezone", "UTC")),
                        true));
    }

    @Test
    void readersHaveNoSayInWhetherTheyWrite() {
        assertEquals(
                new BackendSettings(Map.of("work_mem", "4096")),
                new BackendSettings(Map.of("work_mem", "4096", "default_transaction_read_only", "off")).ofReader());
    }

    @Test
    void whatIsUnknownIsResetAsAWhole() {
        assertEquals(
                "RESET ALL;" + BackendSettings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('work_mem','8192',false);",
                BackendSettings.transition(
                        BackendSettings.UNKNOWN, new BackendSettings(Map.of("work_mem", "8192")), true));
        assertEquals("RESET ALL;", BackendSettings.transition(BackendSettings.UNKNOWN, BackendSettings.NONE, true));
    }

    @Test
    void valuesAreQuotedWhateverTheyHold() {
        assertEquals(
                BackendSettings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('app.x', E'it''s a \\\\ and a \"',false);",
                BackendSettings.transition(
                        BackendSettings.NONE, new BackendSettings(Map.of("app.x", "it's a \\ and a \"")), true));
    }

    @Test
    void valuesAreAsciiForWhoeverDoesNotSpeakUtf8() {
        BackendSettings settings = new BackendSettings(Map.of("app.x", "a\\ü€\uD83D\uDE00"));
        assertEquals(
                BackendSettings.READ_COMMITTED + "SELECT pg_catalog.set_config('app.x', E'a\\\\ü€\uD83D\uDE00',false);",
                BackendSettings.transition(BackendSettings.NONE, settings, true));
        assertEquals(
                BackendSettings.READ_COMMITTED
                        + "SELECT pg_catalog.set_config('app.x', E'a\\\\\\U000000FC\\U000020AC\\U0001F600',false);",
                BackendSettings.transition(BackendSettings.NONE, settings, false));
    }
}
