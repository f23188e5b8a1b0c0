package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the example in the README compiles and runs as described there, in a process of its own. */
@Tag("slow")
class ExampleTest {
    private static final long PATIENCE_SECONDS = 120;

    private static String run(Path output, String url) throws IOException, InterruptedException {
        // The class path has the engines, and the driver from the build's output.
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        Path.of("..", "examples", "Shop.java").toString(),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it ends");
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:multimed:h2:mem:shop;replicas=3", "jdbc:multimed:hsqldb:mem:shop;replicas=3"})
    void theShopSellsOnTheMasterAndReportsOnASatellite(String url, @TempDir Path directory) throws Exception {
        String said = run(directory.resolve("output"), url);
        assertTrue(said.contains("stock of item 7: 9\n"), said);
        assertTrue(said.contains("items: 1000, in stock: 9999\n"), said);
        assertTrue(
                said.contains("where the last transaction ran, and why: satellite: a read-only transaction\n"), said);
        assertTrue(said.contains("master: serving"), said);
        assertTrue(said.contains("satellite-2: serving"), said);
    }

    @Test
    void theSameProgramRunsOnTheEngineAlone(@TempDir Path directory) throws Exception {
        String said = run(directory.resolve("output"), "jdbc:h2:mem:shop");
        assertTrue(said.contains("stock of item 7: 9\n"), said);
        assertTrue(said.contains("items: 1000, in stock: 9999\n"), said);
    }
}
