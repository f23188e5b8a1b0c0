package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteFenceTest {
    @TempDir
    Path temp;

    @Test
    void letsAProcessWriteWithinAndNowhereElse() throws Exception {
        assumeTrue(WriteFence.supported(), "this kernel has no Landlock");
        Path within = Files.createDirectory(temp.resolve("within"));
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Path log = Files.createDirectory(temp.resolve("log")).resolve("engine.log");
        Path existing = Files.writeString(outside.resolve("existing"), "kept");

        assertEquals(
                0, fenced(within, log, "mkdir a && echo x > a/b && mv a/b c && ln -s c d && rm c && echo y > " + log));
        assertNotEquals(0, fenced(within, log, "echo x >> " + existing));
        assertNotEquals(0, fenced(within, log, "rm " + existing));
        assertNotEquals(0, fenced(within, log, "mkdir " + outside.resolve("new")));
        // Links lead out, but not past the fence.
        assertNotEquals(0, fenced(within, log, "ln -s " + outside + " way && echo x > way/existing"));
        assertEquals("kept", Files.readString(existing));
        assertFalse(Files.exists(outside.resolve("new")));
        assertTrue(Files.isDirectory(within.resolve("a")));
        Files.writeString(outside.resolve("ours"), "this process is not fenced");
    }

    private static int fenced(Path within, Path log, String script) throws Exception {
        Process process = Pinning.callBound(CoreBinding.NONE, () -> {
            WriteFence.around(List.of(within), log);
            return new ProcessBuilder("sh", "-c", script)
                    .directory(within.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        });
        return process.waitFor();
    }
}
