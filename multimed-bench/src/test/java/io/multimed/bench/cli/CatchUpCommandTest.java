package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.server.home.Home;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bench catch-up} as a user runs it, at the least scale. */
class CatchUpCommandTest extends CommandTest {
    CatchUpCommandTest() {
        super("catch-up");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "--backlog: must be from 1 to 100000, not 0", "--backlog", "0");
        assertRefused(2, "--unique: must be from 0 to 8", "--unique", "9");
    }

    @Test
    void aBacklogIsAppliedByEachKindOfCopyWhichIsComparedAfterwards() throws Exception {
        try (ProgramProcess command = startLeast("--backlog", "500", "--unique", "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(
                    table.lines()
                            .anyMatch(line -> line.startsWith("rows applied while catching up ")
                                    && line.matches(".* [1-9][\\d.]+( +[1-9][\\d.]+ \\(x [\\d.]+\\)){2}")),
                    table);
        }
        for (String result : validResults(3)) {
            assertTrue(result.contains("commit visible after, idle, p99"), result);
            assertTrue(result.matches("(?s).*(copy-1|bestsellers|satellite-1) holds the Master's rows.*"), result);
        }
        assertDrawn("TPC-W catch up, 2 clients");
    }

    @Test
    void anInterruptWhileTheProcessThatAppliesIsStoppedLeavesNothing() throws Exception {
        try (ProgramProcess command = startLeast("--backlog", "100000", "--unique", "0", "--against", "multimed")) {
            Await.until(
                    "a process that applies is stopped",
                    () -> ProcessHandle.of(command.pid()).stream()
                            .flatMap(ProcessHandle::descendants)
                            .anyMatch(process -> isStopped(process.pid())));
            Path space = left(work).getFirst();
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
            // The sockets of Multimed lie below /tmp because, as here, their paths would be too long.
            assertFalse(Files.exists(Home.of(space.resolve("run/data.multimed")).run()), "sockets that are left");
        }
        assertEquals(List.of(), left(work));
    }

    private static boolean isStopped(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "status"))
                    .contains("State:\tT");
        } catch (IOException ended) {
            return false;
        }
    }
}
