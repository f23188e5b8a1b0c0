package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.Console;
import io.multimed.bench.freshness.FreshnessLoad;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.PostgresKind;
import io.multimed.bench.system.RunningSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt ends a series at any point: sockets that it closes are no failure of a system, and no next run begins. */
@Tag("slow")
class InterruptedSeriesTest {
    @TempDir
    Path directory;

    /** As root, engines run as a user of their own, who must be able to reach the directory. */
    @BeforeEach
    void letTheEnginesIn() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void beforeTheEnginesAreAskedInAWindow() throws Exception {
        assertOneInterruptedRun(run(benchmark(false, new Episode() {
            @Override
            public void opens() {
                Thread.currentThread().interrupt();
            }
        })));
    }

    @Test
    void beforeClientsConnect() throws Exception {
        assertOneInterruptedRun(run(benchmark(false, new Episode() {
            @Override
            public void quiet() {
                Thread.currentThread().interrupt();
            }
        })));
    }

    @Test
    void whileASystemIsEnded() throws Exception {
        ServerSeries<?, ?> series = run(benchmark(false, new Episode() {
            @Override
            public void close() {
                Thread.currentThread().interrupt();
            }
        }));
        assertEquals(1, series.runs().size());
        assertTrue(series.runs().getFirst().valid(), "what was measured by then counts");
    }

    @Test
    void whileTheDatabaseIsLoaded() throws Exception {
        assertEquals(List.of(), run(benchmark(true, Episode.NONE)).runs());
    }

    private static void assertOneInterruptedRun(ServerSeries<?, ?> series) {
        assertEquals(1, series.runs().size());
        Run run = series.runs().getFirst();
        assertTrue(run.interrupted(), run.failure());
        assertEquals("", run.failure());
    }

    private ServerSeries<?, FreshnessLoad.Empty> run(Benchmark<FreshnessLoad.Empty> benchmark) throws Exception {
        SeriesOptions options = new SeriesOptions(
                List.of(1),
                List.of(0),
                List.of("standalone", "standalone-tuned"),
                0,
                Warmup.of(0),
                1,
                1,
                directory.resolve("results"),
                directory,
                1,
                1,
                Map.of(),
                0,
                "");
        ServerSeries<?, FreshnessLoad.Empty> series =
                new ServerSeries<>(new PostgresKind(), List.of(benchmark), options, "test", new Quiet(), List.of());
        assertEquals(Ending.INTERRUPTED, series.run());
        return series;
    }

    private static Benchmark<FreshnessLoad.Empty> benchmark(boolean interruptsLoading, Episode episode) {
        FreshnessLoad freshness = new FreshnessLoad(10);
        return new Benchmark<>() {
            @Override
            public String name() {
                return freshness.name();
            }

            @Override
            public Map<String, String> parameters() {
                return freshness.parameters();
            }

            @Override
            public long estimatedBytes() {
                return freshness.estimatedBytes();
            }

            @Override
            public String sizedBy() {
                return freshness.sizedBy();
            }

            @Override
            public FreshnessLoad.Empty load(Connector database, LoadProgress progress) throws SQLException {
                if (interruptsLoading) {
                    Thread.currentThread().interrupt();
                }
                return freshness.load(database, progress);
            }

            @Override
            public Episode episode(RunningSystem system, Consumer<String> progress) {
                return episode;
            }

            @Override
            public Trial trial(FreshnessLoad.Empty loaded, int clients, long seed) {
                return freshness.trial(loaded, clients, seed);
            }
        };
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
