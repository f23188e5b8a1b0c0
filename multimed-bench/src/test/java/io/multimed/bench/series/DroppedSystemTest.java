package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A system that does not start: Multimed with a setting that it refuses. */
@Tag("slow")
class DroppedSystemTest {
    /** Multimed sets this itself and refuses to start with it. */
    private static final Map<String, String> REFUSED = Map.of("hot_standby", "off");

    @TempDir
    Path directory;

    /** As root, engines run as a user of their own, who must be able to reach the directory. */
    @BeforeEach
    void letTheEnginesIn() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    private PostgresSeries<FreshnessLoad.Empty> series(List<Run> there, boolean goesOn) {
        SeriesOptions options = new SeriesOptions(
                List.of(1),
                List.of(0),
                List.of("multimed", "standalone"),
                1,
                Warmup.of(0),
                1,
                2,
                directory.resolve("results"),
                directory,
                1,
                1,
                REFUSED,
                0,
                "");
        return new PostgresSeries<>(List.of(new FreshnessLoad(10)), options, "test", new Quiet(), there, goesOn);
    }

    @Test
    void isLeftOutOfALargerCallAndTheOthersAreRun() throws Exception {
        PostgresSeries<?> series = series(List.of(), true);
        assertEquals(List.of(2, 2), series.left());
        assertEquals(Ending.DONE, series.run());
        assertEquals(
                List.of("standalone", "standalone"),
                series.runs().stream().map(Run::system).toList());
        assertEquals(1, series.dropped().size());
        assertTrue(series.dropped().getFirst().startsWith("multimed: "), series.dropped()::toString);
        assertEquals(
                List.of(1, 1),
                series(RunFiles.read(directory.resolve("results")), true).left(),
                "what was made need not be made again");
    }

    @Test
    void endsASeriesThatSomebodyAskedForByItself() throws Exception {
        PostgresSeries<?> series = series(List.of(), false);
        assertThrows(BenchException.class, series::run);
        assertEquals(List.of(), series.runs());
    }

    private static final class Quiet implements Console {
        @Override
        public void say(String line) {}

        @Override
        public void progress(String line) {}

        @Override
        public void result(String text) {}
    }
}
