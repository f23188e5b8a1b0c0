package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesOptionsTest {
    private static SeriesOptions over(List<Integer> cores, int satellites) {
        Path here = Path.of("");
        return new SeriesOptions(
                List.of(1),
                cores,
                List.of("multimed"),
                satellites,
                Warmup.of(1),
                1,
                1,
                here,
                here,
                1,
                1,
                Map.of(),
                0,
                "");
    }

    @Test
    void satellitesGrowWithTheCoresBesideMiddlewareAndMaster() {
        SeriesOptions options = over(List.of(4, 12, 16, 48), 1).growing(4, 64);
        assertEquals(
                List.of(1, 1, 2, 10),
                options.cores().stream().map(options::satellites).toList());
        // Four cores are too few for three engines with four each.
        assertEquals(
                List.of(0, 4, 4, 4),
                options.cores().stream().map(options::coresOfEach).toList());
        assertEquals(10, options.satellites(), "as many as there will be at once");
        assertEquals(14, over(List.of(0), 1).growing(4, 64).satellites(), "all of the machine's");
    }

    @Test
    void otherwiseTheirNumberIsStated() {
        SeriesOptions options = over(List.of(4, 16), 3);
        assertEquals(
                List.of(3, 3), options.cores().stream().map(options::satellites).toList());
        assertEquals(
                List.of(0, 0),
                options.cores().stream().map(options::coresOfEach).toList());
    }
}
