package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.TestEngines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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

    /** An ordinary user may lower a scheduling group ten times a second only. Root, as which these tests may run, has no limit. */
    @Test
    void tellsAnOrdinaryUserToTryAgainWhereTheKernelTakesNoMore() throws Exception {
        Path directory = TestEngines.directory();
        try {
            for (Class<?> type : List.of(ProcessScheduling.class, Native.class, Eager.class)) {
                String file = type.getName().replace('.', '/') + ".class";
                Files.createDirectories(directory.resolve(file).getParent());
                try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                    Files.copy(Objects.requireNonNull(in), directory.resolve(file));
                }
            }
            List<String> command = TestEngines.user()
                    .wrap(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            directory.toString(),
                            Eager.class.getName()));
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), output);
            assertEquals(Files.exists(Path.of("/proc/self/autogroup")), output.contains("false"), output);
        } finally {
            TestEngines.delete(directory);
        }
    }

    /** A program that lowers its own priority many times within a tenth of a second. */
    static final class Eager {
        private Eager() {}

        public static void main(String[] none) {
            int self = (int) ProcessHandle.current().pid();
            for (int i = 0; i < 20; i++) {
                System.out.println(ProcessScheduling.yieldToOthers(self));
            }
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
