package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code bench tpcc} as a user runs it, at the least scale. */
class TpccCommandTest extends CommandTest {
    TpccCommandTest() {
        super("tpcc");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--mix: there is no mix '92-8'", "--mix", "92-8");
        assertRefused(2, "did you mean \"hsqldb\"?", "--engine", "hsqld");
        assertRefused(2, "--replicas: means nothing with --engine postgresql", "--replicas", "1");
        assertRefused(2, "--against: means nothing with --engine h2", "--engine", "h2", "--against", "standalone");
        assertRefused(
                2, "--satellite-settings: means nothing with", "--engine", "h2", "--satellite-settings", "jit=off");
        assertRefused(2, "--replicas: must be from 1 to 64, not 65", "--engine", "h2", "--replicas", "65");
        assertRefused(2, "--clients: '8-1' is no range", "--clients", "8-1");
        assertRefused(2, "--clients: must be numbers such as", "--clients", "1,x");
        assertRefused(2, "--warehouses: must be from 1", "--warehouses", "0");
        assertRefused(1, "take a smaller database", "--engine", "h2", "--warehouses", "2000");
        assertRefused(1, "needs about", "--warehouses", "2000", "--satellites", "4");
    }

    @Test
    void comparesOnePostgresWithMultimed() throws Exception {
        try (ProgramProcess command =
                startBriefly("--mix", "50-50", "--warehouses", "1", "--shrink", "100", "--against", "standalone")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            for (String begin : List.of(
                    "STOK Stock-Level ",
                    "standalone ",
                    "multimed ",
                    "standalone postgresql ",
                    "multimed satellite-1 ")) {
                assertTrue(table.lines().anyMatch(line -> line.startsWith(begin)), begin + " in " + table);
            }
        }
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(2, results.size());
        for (String result : results) {
            assertTrue(result.contains("\"valid\" : true"), result);
            assertTrue(result.contains("3.3.2.12 balance and payments are what was delivered"), result);
        }
    }

    @Test
    void comparesAnEngineInsideTheJvmWithItsReplicasOverClients() throws Exception {
        try (ProgramProcess command = start(
                "--engine",
                "hsqldb",
                "--replicas",
                "2",
                "--mix",
                "80-20",
                "--shrink",
                "100",
                "--clients",
                "1-2",
                "--warmup",
                "0",
                "--time",
                "1",
                "--runs",
                "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            assertTrue(command.printed().contains("by number of clients"), command.printed());
        }
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(4, results.size());
        for (String result : results) {
            assertTrue(result.contains("\"valid\" : true"), result);
        }
        assertEquals(
                2,
                results.stream()
                        .filter(result -> result.contains("holds the Master's rows"))
                        .count());
    }

    @Test
    void anInterruptEndsTheJvmOfTheEnginesAndWritesWhatWasMeasured() throws Exception {
        try (ProgramProcess command = start(
                "--engine",
                "h2",
                "--replicas",
                "2",
                "--shrink",
                "100",
                "--clients",
                "2",
                "--warmup",
                "0",
                "--time",
                "600",
                "--runs",
                "1")) {
            Await.until("a run", () -> engines().count() > 0);
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
            assertEquals(0, engines().count(), "JVMs that are left");
        }
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(1, results.size());
        assertTrue(results.getFirst().contains("\"interrupted\" : true"), results.getFirst());
    }

    /** Returns the JVMs that work in this test's directory, without the harness itself. */
    @Override
    Stream<ProcessHandle> engines() {
        return super.engines().filter(process -> {
            String line = commandLine(process.pid());
            return line.contains("EmbeddedMain") && !line.contains("multimed-start");
        });
    }
}
