package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SatelliteSettingsTest {
    private static final Duration PRESET = Duration.ofSeconds(5);

    @ParameterizedTest
    @CsvSource({
        "30000, PT30S",
        "30s, PT30S",
        "10 min, PT10M",
        "1.5h, PT2H",
        "2d, PT48H",
        "7000000us, PT7S",
        "1000, PT5S",
    })
    void replayMayWaitAsLongAsTheLongerOfItsDelays(String value, Duration longest) {
        Map<String, String> settings =
                Map.of("Max_Standby_Streaming_Delay", value, "max_standby_archive_delay", "1s", "work_mem", "4GB");
        assertEquals(longest, SatelliteSettings.replayDelay(PRESET, settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9999999999d", "soon"})
    void replayMayWaitForEver(String value) {
        Duration longest = SatelliteSettings.replayDelay(PRESET, Map.of("max_standby_archive_delay", value));
        assertEquals(Duration.ofDays(10_000), longest);
        assertTrue(longest.plusDays(1).toNanos() > 0);
    }

    @Test
    void replayWaitsAsPresetOtherwise() {
        assertEquals(PRESET, SatelliteSettings.replayDelay(PRESET, Map.of("work_mem", "-1")));
    }
}
