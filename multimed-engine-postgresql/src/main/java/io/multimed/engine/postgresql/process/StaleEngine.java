package io.multimed.engine.postgresql.process;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.Native;
import io.multimed.engine.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds processes that an earlier Multimed left running on a data directory, and ends them. */
public final class StaleEngine {
    private static final Logger log = LoggerFactory.getLogger(StaleEngine.class);

    /** Names of the program; the second is a link that PostgreSQL 15 still had. */
    private static final Set<String> SERVERS = Set.of("postgres", "postmaster");

    private StaleEngine() {}

    /**
     * Ensures that no engine runs on the data directory. Blocks at most a little longer than {@code patience}.
     *
     * @param mode how an engine of Multimed's that is found is asked to end
     * @return whether one was found
     * @throws EngineException if a server that is not Multimed's runs there, which is left alone
     */
    public static boolean end(ClusterProcesses family, Path dataDirectory, StopMode mode, Duration patience)
            throws EngineException, InterruptedException {
        Optional<PostmasterFile> lock = PostmasterFile.read(dataDirectory);
        List<Long> members = family.members();
        if (members.isEmpty()) {
            if (lock.isPresent() && isServerOn(lock.get().pid(), dataDirectory)) {
                throw new EngineException("A PostgreSQL server that this Multimed did not start (process "
                        + lock.get().pid() + ") is running on " + dataDirectory + ": stop it first.");
            }
            PostmasterFile.clean(dataDirectory);
            return false;
        }
        log.info("Ending the engine of an earlier run on {} (processes {})", dataDirectory, members);
        if (lock.isPresent() && members.contains(lock.get().pid())) {
            Native.kill(lock.get().pid(), mode.signal);
            family.resume();
            long deadline = System.nanoTime() + patience.toNanos();
            while (System.nanoTime() - deadline < 0 && !family.members().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        family.killAll();
        PostmasterFile.clean(dataDirectory);
        return true;
    }

    /**
     * Returns whether a process is a server on a data directory. The pid in a lock file may long belong to another process. A
     * server's working directory is its data directory, under whatever name it was given. Where that cannot be read, as with
     * another user's process, the arguments are compared.
     */
    private static boolean isServerOn(long pid, Path dataDirectory) {
        Optional<ProcessTable.Entry> process = ProcessTable.of(pid);
        if (process.isEmpty()
                || process.get().dead()
                || !SERVERS.contains(process.get().name())) {
            return false;
        }
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(pid), "cwd"), dataDirectory);
        } catch (IOException e) {
            String line = ProcessTable.commandLine(pid);
            return !line.contains("cluster_name=multimed-") || line.contains('\0' + dataDirectory.toString() + '\0');
        }
    }
}
