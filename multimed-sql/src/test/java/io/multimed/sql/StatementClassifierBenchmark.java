package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures the cost of classifying a statement on an event loop once its shape is known. Run {@link #main}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatementClassifierBenchmark {
    @Param({
        "SELECT abalance FROM pgbench_accounts WHERE aid = 12345678;",
        "SELECT abalance FROM pgbench_accounts WHERE aid = $1",
        "UPDATE pgbench_accounts SET abalance = abalance + -42 WHERE aid = 7;",
        "BEGIN",
        "SET application_name = 'x'",
    })
    public String sql = "";

    private final StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
    private byte[] bytes = new byte[0];

    @Setup
    public void learn() {
        bytes = sql.getBytes(StandardCharsets.UTF_8);
        Classifications.classify(classifier, bytes, DatabaseCatalog.EMPTY);
    }

    @TearDown
    public void close() {
        classifier.close();
    }

    @Benchmark
    public @Nullable ClassifiedSql classify() {
        return classifier.classify(bytes, 0, bytes.length, DatabaseCatalog.EMPTY);
    }

    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(StatementClassifierBenchmark.class.getSimpleName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
    }
}
