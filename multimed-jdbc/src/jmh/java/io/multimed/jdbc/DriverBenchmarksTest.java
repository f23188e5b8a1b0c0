package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks of this module and prints them: {@code mvn -Pjmh -pl multimed-jdbc -am test}. It checks no results. */
class DriverBenchmarksTest {
    @Test
    void runsTheBenchmarks() throws Exception {
        var results = new Runner(new OptionsBuilder()
                        .include(".*Benchmark\\..*")
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .build())
                .run();

        assertFalse(results.isEmpty());
    }
}
