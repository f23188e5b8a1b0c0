package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BoundedLogTest {
    private static final long MOST = 64 << 10;

    private Path directory;

    /**
     * Returns a directory whose file system can remove a file's beginning, on most machines, and one whose file system cannot.
     */
    static Stream<Path> places() {
        return Stream.of(Path.of("/tmp"), Path.of("/dev/shm"));
    }

    private Path log(Path place) throws IOException {
        assumeTrue(Files.isWritable(place));
        directory = Files.createTempDirectory(place, "multimed-log-");
        return directory.resolve("engine.log");
    }

    @AfterEach
    void removeDirectory() throws IOException {
        if (directory != null) {
            for (String name : List.of("engine.log", "engine.log.1")) {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.delete(directory);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsLittleStaysWhereItIs(Path place) throws Exception {
        Path log = log(place);
        assertEquals(0, BoundedLog.bound(log, MOST));
        Files.write(log, new byte[(int) MOST]);
        assertEquals(0, BoundedLog.bound(log, MOST));
        assertEquals(MOST, Files.size(log));
        assertFalse(Files.exists(older(log)));
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsMuchMovesAndWhoHasItOpenWritesOn(Path place) throws Exception {
        Path log = log(place);
        Process writer = appender(
                log, "for byte in a b; do head -c 100000 /dev/zero | tr '\\0' $byte; read -r next; done; echo end");
        String expected = "a".repeat(100_000) + "b".repeat(100_000) + "end\n";
        StringBuilder moved = new StringBuilder();
        for (int written = 100_000; written <= 200_000; written += 100_000) {
            while (moved.length() + Files.size(log) < written) {
                Thread.sleep(1);
            }
            long before = Files.size(log);
            long cut = BoundedLog.bound(log, MOST);
            assertEquals(before - cut, Files.size(log));
            assertTrue(Files.size(log) < MOST, "still " + Files.size(log));
            moved.append(Files.readString(older(log)));
            writer.getOutputStream().write('\n');
            writer.getOutputStream().flush();
        }
        assertEquals(0, writer.waitFor());
        assertEquals(expected, moved + Files.readString(log));
        // There are no other files.
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(2, files.count());
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void losesNothingOfWhatIsWrittenMeanwhile(Path place) throws Exception {
        Path log = log(place);
        Files.write(log, new byte[2 << 16]);
        assumeTrue(Native.takeOffBeginning(log.toString(), 1 << 16) == 0, "not on this file system");
        Files.write(log, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
        String line = "x".repeat(100);
        int lines = 20_000;
        Process writer =
                appender(log, "i=0; while [ $i -lt " + lines + " ]; do i=$((i + 1)); echo \"$i " + line + "\"; done");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int cuts = 0;
        while (writer.isAlive()) {
            if (BoundedLog.bound(log, MOST) > 0) {
                all.write(Files.readAllBytes(older(log)));
                cuts++;
            }
        }
        all.write(Files.readAllBytes(log));
        assertTrue(cuts > 0, "cut off while it was written");
        assertEquals(
                IntStream.rangeClosed(1, lines)
                        .mapToObj(number -> number + " " + line)
                        .toList(),
                all.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatCannotBeCopiedStays(Path place) throws Exception {
        Path log = log(place);
        Files.write(log, new byte[(int) MOST + 1]);
        // Not even root can replace a non-empty directory by a file.
        Path inTheWay = Files.createDirectories(directory.resolve("engine.log.1.new/x"));
        assertThrows(IOException.class, () -> BoundedLog.bound(log, MOST));
        assertEquals(MOST + 1, Files.size(log));
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertTrue(BoundedLog.bound(log, MOST) > 0);
    }

    private static Path older(Path log) {
        return log.resolveSibling(log.getFileName() + ".1");
    }

    /** Starts a process that writes as engines do: opens the file once, to append. */
    private static Process appender(Path log, String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
