package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench tpcw} on several numbers of cores, and the report of its results, as a user runs it, at the least scale. */
class CoresCommandTest extends CommandTest {
    CoresCommandTest() {
        super("tpcw");
    }

    @Test
    void measurementsOnOneAndTwoCoresStandBesideThePapers() throws Exception {
        try (ProgramProcess command =
                startLeast("--mix", "shopping", "--cores", "1,2", "--clients", "4", "--warmup", "1", "--time", "2")) {
            Await.until(
                    "an engine process is bound to one processor",
                    () -> backends(command)
                            .anyMatch(backend -> processors(backend.pid()).matches("\\d+")));
            assertEquals(0, command.awaitExit(), command.errors());
        }
        List<String> results = validResults(4);
        for (String result : results) {
            assertTrue(result.contains("for engines and middleware, all for the load generator"), result);
        }
        BENCH.run(0, "bench", "report", out.toString());
        assertTrue(Files.readString(out.resolve("report.html")).contains("Multimed, figure 4a"), "no paper's figure");
    }

    @Test
    void withoutResultsThereIsNoReport() throws Exception {
        Files.createDirectories(out);
        BENCH.run(1, "bench", "report", out.toString());
        BENCH.run(1, "bench", "report", "--results", out.resolve("nowhere").toString());
    }

    /** Returns a process's processors in the kernel's list form. */
    private static String processors(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            // The process has ended.
            return "";
        }
    }
}
