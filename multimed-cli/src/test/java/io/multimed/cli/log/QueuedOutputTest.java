package io.multimed.cli.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class QueuedOutputTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A terminal that shows only as much as the test allows. */
    private static final class Terminal extends OutputStream {
        private final Semaphore writes = new Semaphore(0);
        private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

        @Override
        public void write(int one) {
            throw new AssertionError("byte by byte");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            writes.acquireUninterruptibly();
            shown.write(bytes, offset, length);
        }

        String shown() {
            return shown.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void whoWritesDoesNotWaitForAStoppedTerminal() throws Exception {
        Terminal terminal = new Terminal();
        QueuedOutput output = QueuedOutput.to(terminal);
        PrintStream err = new PrintStream(output, true, StandardCharsets.UTF_8);
        err.println("one");
        err.println("zwölf");
        assertEquals("", terminal.shown());
        terminal.writes.release(1_000);
        output.drain(PATIENCE);
        assertEquals("one\nzwölf\n", terminal.shown());
    }

    @Test
    void whatDoesNotFitIsLeftOutAndSaidToBe() throws Exception {
        Terminal terminal = new Terminal();
        QueuedOutput output = QueuedOutput.to(terminal);
        byte[] line = ("x".repeat(999) + "\n").getBytes(StandardCharsets.US_ASCII);
        output.write(line);
        while (!terminal.writes.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        // The terminal is still showing the first line, so the following ones do not make room for more.
        for (int i = 1; i < 1_000; i++) {
            output.write(line);
        }
        terminal.writes.release(10_000);
        output.drain(PATIENCE);
        long all = terminal.shown().length();
        assertTrue(all < 500_000, () -> all + " bytes kept");
        output.write("again\n".getBytes(StandardCharsets.US_ASCII));
        output.drain(PATIENCE);
        assertTrue(
                terminal.shown().endsWith("\n[" + (1_000_000 - all) + " bytes left out]\nagain\n"),
                () -> terminal.shown().substring((int) all));
    }

    @Test
    void aReaderThatHasGoneIsNoReasonToStop() throws Exception {
        QueuedOutput output = QueuedOutput.to(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("broken pipe");
            }
        });
        output.write(1);
        output.drain(PATIENCE);
        output.write(1);
        output.drain(PATIENCE);
    }
}
