package io.multimed.engine.mariadb.process;

import io.multimed.engine.process.Native;
import io.multimed.engine.process.ProcessTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds engines that an earlier Multimed has left running with a settings file, and ends them. */
public final class StaleMariaDb {
    private static final Logger log = LoggerFactory.getLogger(StaleMariaDb.class);
    private static final Duration DEATH = Duration.ofSeconds(10);

    private StaleMariaDb() {}

    /**
     * Ensures that no engine with these files runs. Blocks at most a little longer than {@code patience}.
     *
     * @param patience how long an engine may take to end in order, before it is killed
     */
    public static void end(EngineFiles files, Duration patience) throws InterruptedException {
        signal(files, Native.SIGTERM);
        if (!awaitNone(files, patience)) {
            signal(files, Native.SIGKILL);
            if (!awaitNone(files, DEATH)) {
                throw new IllegalStateException("processes " + of(files) + " do not die");
            }
        }
    }

    private static void signal(EngineFiles files, int signal) {
        for (long pid : of(files)) {
            log.info("Ending the engine of an earlier run with {} (process {})", files.settings(), pid);
            Native.kill(pid, signal);
            Native.kill(pid, Native.SIGCONT);
        }
    }

    private static boolean awaitNone(EngineFiles files, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!of(files).isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return true;
    }

    private static List<Long> of(EngineFiles files) {
        String mark = '\0' + MariaDbProcess.settingsOption(files) + '\0';
        return ProcessTable.all().stream()
                .filter(entry -> !entry.dead())
                .map(ProcessTable.Entry::pid)
                .filter(pid -> {
                    String line = ProcessTable.commandLine(pid);
                    // The shell that is to become the engine, and its watcher, have the option too; they end with it.
                    return line.contains(mark) && !line.startsWith("sh\0");
                })
                .toList();
    }
}
