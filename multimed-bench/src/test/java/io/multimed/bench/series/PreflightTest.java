package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreflightTest {
    private static SeriesOptions against(String... systems) {
        Path here = Path.of(".");
        return new SeriesOptions(
                List.of(1), List.of(0), List.of(systems), 3, Warmup.of(1), 1, 1, here, here, 1, 1, Map.of());
    }

    @Test
    void engineBesideEngineTakesRoomOnTheDisk() {
        assertEquals(2, Preflight.copiesOnDisk(against("standalone", "multimed")));
        assertEquals(5, Preflight.copiesOnDisk(against("standalone", "multimed-c0")));
        assertEquals(5, Preflight.copiesOnDisk(against("pgpool", "multimed")));
        assertEquals(5, Preflight.copiesOnDisk(against("multimed", "pgpool-si")));
    }
}
