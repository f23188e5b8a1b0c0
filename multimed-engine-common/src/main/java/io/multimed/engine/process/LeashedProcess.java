package io.multimed.engine.process;

import io.multimed.core.spi.EngineException;
import io.multimed.core.tasks.HeardTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main process of a running engine.
 *
 * <p>Thread-safe. The process is a child of Multimed with a session of its own, so that Ctrl-C in a terminal reaches Multimed
 * alone, which then ends its engines in its own order.
 */
public final class LeashedProcess {
    private static final Logger logger = LoggerFactory.getLogger(LeashedProcess.class);

    /**
     * Runs the callbacks for exits. Its thread is there before any engine: the JDK's own would be a child of the thread that
     * launched an engine, bound to that engine's cores and confined to its directories, and so would be every thread that a
     * callback starts.
     */
    private static final ThreadPoolExecutor EXITS = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("multimed-exits").factory());

    static {
        EXITS.prestartCoreThread();
    }

    /** Keeps the pipes of running engines open: the watcher would take the end of a collected pipe for the end of Multimed. */
    private static final Set<LeashedProcess> RUNNING = ConcurrentHashMap.newKeySet();

    private static final Duration DEATH = Duration.ofSeconds(10);

    private final Process process;
    private final EngineLog log;
    private final Leash leash;

    private LeashedProcess(Process process, EngineLog log) {
        this.process = process;
        this.log = log;
        this.leash = Leash.of(process);
    }

    /**
     * Starts an engine; does not wait until it accepts connections.
     *
     * @param onExit called once, from a thread of this class, when the main process has ended for whatever reason
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The action logs its own failure.
    public static LeashedProcess start(LaunchCommand command, Runnable onExit)
            throws EngineException, InterruptedException {
        EngineLog log = EngineLog.open(command.logFile(), command.gravest());
        ProcessBuilder builder = EngineTool.builder(
                command.user(),
                Leash.wrap(inOwnSession(command.command()), command.signalWhenOrphaned(), command.name()));
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
        Process process;
        try {
            process = Pinning.callBound(command.binding(), () -> {
                WriteFence.around(command.mayWrite(), log.file());
                return builder.start();
            });
        } catch (ExecutionException e) {
            throw new EngineException("Cannot start " + command.command().getFirst() + ": " + e.getCause() + ".", e);
        }
        LeashedProcess started = new LeashedProcess(process, log);
        RUNNING.add(started);
        HeardTask ended = new HeardTask(
                () -> started.ended(onExit),
                e -> logger.error("The end of the engine's process {} could not be reported", started.pid(), e));
        process.onExit().thenRunAsync(ended, EXITS);
        return started;
    }

    private void ended(Runnable onExit) {
        RUNNING.remove(this);
        leash.release();
        onExit.run();
    }

    /**
     * Keeps the logs of all running engines from growing without bounds, as {@link BoundedLog} does; blocks while one is
     * copied. If some of them fail, the others are bounded all the same, and one of the failures is thrown.
     */
    public static void boundLogs() throws IOException {
        IOException failure = null;
        for (LeashedProcess running : RUNNING) {
            try {
                running.log.bound();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the process ID. */
    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Whether the process has been stopped (SIGSTOP): connections are then taken by the kernel and never answered. */
    public boolean frozen() {
        return ProcessTable.of(pid()).map(ProcessTable.Entry::frozen).orElse(false);
    }

    /** Returns why the engine ended, in its own words: its last grave message. */
    public String reason() {
        String reason = log.reason();
        return (reason.isEmpty() ? "no message" : reason) + " (log: " + log.file() + ")";
    }

    /** Sends a signal, if the process has not ended. */
    public void signal(int signal) {
        if (process.isAlive()) {
            Native.kill(pid(), signal);
        }
    }

    /** Waits for the end of the process; returns whether it has ended within {@code patience}. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills the process, a stopped one too; does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits for the end of a killed process, whatever interrupts the caller. */
    public void awaitDeath() {
        try {
            process.onExit().get(DEATH.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("process " + pid() + " outlives SIGKILL", e);
        }
    }

    /** Returns the command that takes the server out of the terminal's process group, within the same process. */
    private static List<String> inOwnSession(List<String> command) {
        List<String> server = new ArrayList<>();
        for (String directory : List.of("/usr/bin", "/bin")) {
            if (server.isEmpty() && Files.isExecutable(Path.of(directory, "setsid"))) {
                server.add(directory + "/setsid");
            }
        }
        server.addAll(command);
        return server;
    }
}
