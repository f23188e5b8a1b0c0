package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** PostgreSQL's own clients, where they are installed. */
final class Programs {
    private Programs() {}

    static boolean installed(String program) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Runs a program that must succeed; returns its output. */
    static String run(String... command) throws IOException, InterruptedException {
        Ended ended = end(command);
        assertEquals(0, ended.status, ended.output);
        return ended.output;
    }

    /** Runs a program that must fail; returns its output. */
    static String fail(String... command) throws IOException, InterruptedException {
        Ended ended = end(command);
        assertNotEquals(0, ended.status, ended.output);
        return ended.output;
    }

    private record Ended(int status, String output) {}

    private static Ended end(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), output);
        return new Ended(process.exitValue(), output);
    }
}
