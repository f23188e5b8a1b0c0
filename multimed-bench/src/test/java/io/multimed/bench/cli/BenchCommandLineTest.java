package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Help, and commands that do not exist. */
class BenchCommandLineTest {
    private record Answer(int status, String out, String err) {}

    private static Answer answer(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = BenchMain.PROGRAM.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void helpListsEveryBenchmark() {
        Answer help = answer("help", "bench");
        assertEquals(0, help.status(), help.err());
        for (String command : List.of(
                "demo",
                "bench tpcw",
                "bench tpcc",
                "bench quick",
                "bench all",
                "bench scale",
                "bench interaction",
                "bench short-long",
                "bench catch-up",
                "bench indexed-inserts",
                "bench freshness",
                "bench clone",
                "bench report")) {
            assertTrue(
                    help.out().lines().anyMatch(line -> line.matches(" +" + command + " +[A-Z].*")),
                    command + help.out());
        }
        assertTrue(help.out().contains("bench pgbench"), help.out());
    }

    @Test
    void everyBenchmarkExplainsItsOptions() {
        String tpcw = answer("help", "bench", "tpcw").out();
        assertEquals(tpcw, answer("bench", "tpcw", "--help").out());
        for (String option : List.of("--mix=NAMES", "--against=LIST", "--runs=N", "--out=DIR", "--engine=")) {
            assertTrue(tpcw.contains(option), option + tpcw);
        }
        assertTrue(answer("help", "demo").out().startsWith("Usage: multimed demo"));
    }

    @Test
    void aBenchmarkThatDoesNotExistIsAnsweredWithThoseThatDo() {
        for (String[] line : new String[][] {{"bench", "aply"}, {"bench"}, {"help", "bench", "aply"}}) {
            Answer answer = answer(line);
            assertEquals(2, answer.status(), answer.err());
            assertTrue(answer.err().matches("(?s)multimed: bench: name one of .*clone.*"), answer.err());
        }
    }
}
