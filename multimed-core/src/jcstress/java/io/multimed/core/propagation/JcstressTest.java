package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the jcstress tests of this package under the real memory model, in less than a minute: {@code mvn -Pjcstress -pl
 * multimed-core -am test}. They run in a separate process, since the harness reads its own class path.
 */
class JcstressTest {
    @TempDir
    Path results;

    @Test
    void nothingForbiddenIsObserved() throws Exception {
        Process harness = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "org.openjdk.jcstress.Main",
                        // One JVM mode at full speed and one fork: a few seconds of it suffice to find violations.
                        "-jvmArgs",
                        "-Xmx512m -XX:+UseParallelGC",
                        "-sc",
                        "false",
                        "-af",
                        "NONE",
                        "-f",
                        "1",
                        "-iters",
                        "3",
                        "-time",
                        "1000",
                        "-r",
                        results.toString()))
                .directory(results.toFile())
                .redirectErrorStream(true)
                .redirectOutput(new File("target/jcstress.log"))
                .start();

        assertTrue(harness.waitFor(10, TimeUnit.MINUTES), "the harness ended");
        assertEquals(0, harness.exitValue(), "see target/jcstress.log");
    }
}
