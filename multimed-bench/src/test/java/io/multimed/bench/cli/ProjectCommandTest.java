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

/** {@code bench cores} and what is made of its results, as a user runs it, at the least scale. */
class ProjectCommandTest extends CommandTest {
    ProjectCommandTest() {
        super("cores");
    }

    @Test
    void whatWasMeasuredOnOneAndTwoCoresIsProjectedAndReported() throws Exception {
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
        String told = BENCH.run(0, "bench", "project", out.toString(), "--cores", "16");
        for (String part : List.of(
                "predicted against measured",
                "PROJECTION, not measured: tpcw shopping, interactions/s by number of cores, by the Universal",
                "PROJECTION, not measured: tpcw shopping, interactions/s by number of cores, simulated",
                "two numbers of cores do not determine the law",
                "cores divided by demand, 16 cores: ")) {
            assertTrue(told.contains(part), told);
        }
        assertTrue(Files.readString(out.resolve("projection.html")).contains("aria-label=\"PROJECTION by "));
        BENCH.run(2, "bench", "project", out.toString(), "--cores", "4");
        BENCH.run(0, "bench", "report", out.toString());
        assertTrue(Files.readString(out.resolve("report.html")).contains("Multimed, figure 4a"), "no paper's figure");
    }

    @Test
    void withoutRunsOverCoresThereIsNothingToProject() throws Exception {
        Files.createDirectories(out);
        BENCH.run(1, "bench", "project", out.toString());
        BENCH.run(1, "bench", "project", "--results", out.resolve("nowhere").toString());
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
