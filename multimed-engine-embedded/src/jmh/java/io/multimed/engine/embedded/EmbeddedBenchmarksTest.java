package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks of this module and prints them: {@code mvn -Pjmh -pl multimed-engine-embedded -am test}. It checks only that
 * replicas agree.
 */
class EmbeddedBenchmarksTest {
    @Test
    void runsTheBenchmarks() throws Exception {
        var results = new Runner(new OptionsBuilder()
                        .include(".*SessionBenchmark\\..*")
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .build())
                .run();

        assertFalse(results.isEmpty());
    }

    @Test
    void replicasAgainstTheEngineAlone() throws Exception {
        for (String run : new String[] {
            "hsqldb 4 4 100", "h2 4 4 100", "hsqldb 3 4 80", "hsqldb 2 4 50", "hsqldb 2 4 8", "h2 3 4 80"
        }) {
            PairedMix.main((run + " 9 500 sticky").split(" "));
        }
    }
}
