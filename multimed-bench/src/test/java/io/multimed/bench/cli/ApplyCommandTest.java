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

/** {@code bench apply} as a user runs it, at the least scale. */
class ApplyCommandTest extends CommandTest {
    ApplyCommandTest() {
        super("apply");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--pause: must be from 1 to 300, not 0", "--pause", "0");
        assertRefused(2, "--satellites: without one there is nothing to measure", "--satellites", "0");
        assertRefused(2, "there is no option '--against'", "--against", "standalone");
    }

    @Test
    void aSatelliteThatPausedCatchesUpBesideTheLoad() throws Exception {
        try (ProgramProcess command = startLeast("--pause", "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.contains("replayed while catching up"), table);
            assertTrue(table.contains("behind after the pause"), table);
        }
        validResults(1);
        assertDrawn("TPC-W apply beside buying, 2 clients");
    }

    @Test
    void anInterruptWhileTheSatelliteIsStoppedLeavesNothing() throws Exception {
        try (ProgramProcess command = startLeast("--pause", "300")) {
            Await.until(
                    "a process that replays is stopped",
                    () -> ProcessHandle.of(command.pid()).stream()
                            .flatMap(ProcessHandle::descendants)
                            .anyMatch(process -> stopped(process.pid())));
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
        }
        assertEquals(List.of(), left(work));
        assertTrue(
                results().getFirst().contains("logged by the Master"), results().getFirst());
    }

    private static boolean stopped(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "status"))
                    .contains("State:\tT");
        } catch (IOException ended) {
            return false;
        }
    }
}
