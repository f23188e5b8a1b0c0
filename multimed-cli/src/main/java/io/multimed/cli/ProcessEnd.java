package io.multimed.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the end of a process, whichever process is its parent. A process that has ended stays in the process table, in
 * state Z, until its parent asks for its status; in a container without an init that may be never.
 */
final class ProcessEnd {
    private static final long LOOK_MILLIS = 50;

    private ProcessEnd() {}

    /** @return false if it has not ended by then */
    static boolean await(long pid, Duration patience) throws InterruptedException {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        long begin = System.nanoTime();
        while (process.isPresent() && !isCollectable(pid)) {
            if (System.nanoTime() - begin > patience.toNanos()) {
                return false;
            }
            try {
                process.get().onExit().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException | ExecutionException stillThere) {
                // The loop looks again.
            }
        }
        return true;
    }

    /** Whether all of its threads have ended and its parent has yet to ask for its status. */
    private static boolean isCollectable(long pid) {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        } catch (IOException e) {
            // The process has gone, which its handle knows, or is hidden from this user.
            return false;
        }
        // The fields begin behind the name, which may contain anything: state is field 3, the number of threads field
        // 20.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return fields[0].equals("X") || (fields[0].equals("Z") && Integer.parseInt(fields[17]) <= 1);
    }
}
