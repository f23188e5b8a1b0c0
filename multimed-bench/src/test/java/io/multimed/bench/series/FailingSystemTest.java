package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.bench.Console;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.system.PostgresKind;
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
class FailingSystemTest {
    /** Multimed sets this itself and refuses to start with it. */
    private static final Map<String, String> REFUSED = Map.of("hot_standby", "off");

    @TempDir
    Path directory;

    /** As root, engines run as a user of their own, who must be able to reach the directory. */
    @BeforeEach
    void letTheEnginesIn() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    private ServerSeries<?, FreshnessLoad.Empty> series(List<Run> there) {
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
        return new ServerSeries<>(
                new PostgresKind(), List.of(new FreshnessLoad(10)), options, "test", new Quiet(), there);
    }

    @Test
    void itsRunsAreVoidAndTheOthersAreMade() throws Exception {
        ServerSeries<?, ?> series = series(List.of());
        assertEquals(List.of(2, 2), series.left());
        assertEquals(Ending.VOID, series.run());
        for (Run run : series.runs()) {
            assertEquals(run.system().equals("standalone"), run.valid(), run.toString());
            assertEquals(run.system().equals("multimed"), run.failure().contains("does not start"), run.failure());
        }
        assertEquals(4, series.runs().size());
        assertEquals(
                List.of(1, 1),
                series(RunFiles.read(directory.resolve("results"))).left(),
                "valid runs need not be made again");
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
