package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench cores} and what is made of its results, as a user runs it, at the least scale. */
class BenchProjectTest extends BenchCommandTest {
    BenchProjectTest() {
        super("cores");
    }

    @Test
    void whatWasMeasuredOnOneAndTwoCoresIsProjectedAndReported() throws Exception {
        try (Command command = start(
                "--mix",
                "shopping",
                "--cores",
                "1,2",
                "--ebs",
                "1",
                "--items",
                "1000",
                "--clients",
                "4",
                "--warmup",
                "1",
                "--time",
                "2",
                "--runs",
                "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        assertEquals(List.of(), left(work));
        assertEquals(4, results().size());
        String told = Command.run(0, "bench", "project", out.toString(), "--cores", "16");
        for (String part : List.of(
                "predicted against measured",
                "PROJECTION, not measured: tpcw shopping, interactions/s by number of cores, by the Universal",
                "PROJECTION, not measured: tpcw shopping, interactions/s by number of cores, simulated",
                "two numbers of cores do not determine the law",
                "cores divided by demand, 16 cores: ")) {
            assertTrue(told.contains(part), told);
        }
        assertTrue(Files.readString(out.resolve("projection.html")).contains("data:image/png;base64,"));
        Command.run(2, "bench", "project", out.toString(), "--cores", "4");
        Command.run(0, "bench", "report", out.toString());
        assertTrue(Files.readString(out.resolve("report.html")).contains("Multimed, figure 4a"), "no paper's figure");
    }

    @Test
    void withoutRunsOverCoresThereIsNothingToProject() throws Exception {
        Files.createDirectories(out);
        Command.run(1, "bench", "project", out.toString());
        Command.run(1, "bench", "project", "--results", out.resolve("nowhere").toString());
    }
}
