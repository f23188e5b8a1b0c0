package io.multimed.engine.postgresql.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessSchedulingTest {
    private static final long MILLI = 1_000_000;

    @Test
    void countsTheProcessorTimeOfAnotherProcess() throws Exception {
        Process busy = start("while :; do :; done");
        Process asleep = start("exec sleep 600");
        try {
            int pid = (int) busy.pid();
            long before = ProcessScheduling.processorNanos(pid);
            while (ProcessScheduling.processorNanos(pid) - before < 50 * MILLI) {
                Thread.sleep(5);
            }
            assertTrue(ProcessScheduling.isRunnable(pid));
            assertTrue(ProcessScheduling.processorNanos((int) asleep.pid()) >= 0);
            while (ProcessScheduling.isRunnable((int) asleep.pid())) {
                Thread.sleep(5);
            }
        } finally {
            end(busy);
            end(asleep);
        }
    }

    @Test
    void lowersThePriorityOfAProcessAlsoWhenToldTwice() throws Exception {
        Process process = start("exec sleep 600");
        int pid = (int) process.pid();
        try {
            int before = niceness(pid);
            // It returns false while the kernel limits the number of such changes by all users.
            ProcessScheduling.yieldToOthers(pid);
            ProcessScheduling.yieldToOthers(pid);
            assertEquals(Math.min(19, before + 5), niceness(pid));
        } finally {
            end(process);
        }
    }

    @Test
    void knowsNothingOfAProcessThatIsGone() throws Exception {
        Process process = start("exec sleep 600");
        int pid = (int) process.pid();
        end(process);
        assertEquals(-1, ProcessScheduling.processorNanos(pid));
        assertFalse(ProcessScheduling.isRunnable(pid));
        assertTrue(ProcessScheduling.yieldToOthers(pid));
    }

    private static Process start(String command) throws IOException {
        return new ProcessBuilder("sh", "-c", command).start();
    }

    private static void end(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The nineteenth field of proc_pid_stat(5). */
    private static int niceness(int pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }
}
