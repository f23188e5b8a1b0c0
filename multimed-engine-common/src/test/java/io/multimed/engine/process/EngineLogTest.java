package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLogTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void tellsWhyTheEngineEndedWhoseLogWasTakenAwayMeanwhile() throws Exception {
        Path file = directory.resolve("master.log");
        append(file, "FATAL:  an earlier start\n");
        EngineLog log = EngineLog.open(file, List.of("FATAL:", "PANIC:"));
        assertEquals("", log.reason());
        for (int i = 0; i < 20; i++) {
            append(file, "LOG:  " + "x".repeat(MEGABYTE) + "\n");
        }
        append(file, "FATAL:  no space\n");
        log.bound();
        assertTrue(Files.size(file) < MEGABYTE, "taken away");
        append(file, "LOG:  shut down\n");
        assertEquals("no space", log.reason());
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
