package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.freshness.FreshnessLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreflightTest {
    private static SeriesOptions against(String... systems) {
        Path here = Path.of(".");
        return new SeriesOptions(
                List.of(1), List.of(0), List.of(systems), 3, Warmup.of(1), 1, 1, here, here, 1, 1, Map.of(), 0, "");
    }

    @Test
    void whatAContainerMayNotTakeIsNotThere() throws Exception {
        SeriesOptions options = against("standalone", "multimed");
        // The harness, its middleware and the system by themselves need a gigabyte.
        BenchException refused = assertThrows(
                BenchException.class, () -> Preflight.memory(options, new FreshnessLoad(10), 1, 1_000_000_000));
        assertTrue(String.valueOf(refused.getMessage()).contains(", and 1.0 GB are free; "), refused.getMessage());
        Preflight.memory(against("standalone"), new FreshnessLoad(10), 1, 2_000_000_000);
    }

    @Test
    void engineBesideEngineTakesRoomOnTheDisk() {
        assertEquals(2, Preflight.copiesOnDisk(against("standalone", "multimed")));
        assertEquals(5, Preflight.copiesOnDisk(against("standalone", "multimed-c0")));
        assertEquals(5, Preflight.copiesOnDisk(against("pgpool", "multimed")));
        assertEquals(5, Preflight.copiesOnDisk(against("multimed", "pgpool-si")));
    }
}
