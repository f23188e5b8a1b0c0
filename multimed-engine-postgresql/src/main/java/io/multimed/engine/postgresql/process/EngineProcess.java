package io.multimed.engine.postgresql.process;

import io.multimed.core.spi.EngineException;
import io.multimed.core.tasks.HeardTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running engine: its postmaster and all processes that it forks.
 *
 * <p>Thread-safe. The postmaster is a child of Multimed with a session of its own, so that Ctrl-C in a terminal reaches
 * Multimed alone, which then ends its engines in its own order.
 */
public final class EngineProcess {
    private static final Logger logger = LoggerFactory.getLogger(EngineProcess.class);

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
    private static final Set<EngineProcess> RUNNING = ConcurrentHashMap.newKeySet();

    /** Number of checks of an engine within its patience: each check looks at all processes of the machine. */
    private static final int LOOKS = 100;

    private static final int SIGHUP = 1;

    private final Process process;
    private final Path dataDirectory;
    private final ClusterProcesses family;
    private final EngineUser user;
    private final EngineLog log;
    private final Leash leash;
    /**
     * Whether its System V segment may be removed after a kill, so that it does not stay for ever when the data is deleted.
     * Otherwise the next start needs it: it leads to segments of parallel queries that are to be removed too.
     */
    private final boolean ownsNoOtherSegments;

    private EngineProcess(Process process, EngineCommand command, EngineLog log) {
        this.process = process;
        this.dataDirectory = command.dataDirectory();
        this.family = command.family();
        this.user = command.user();
        this.log = log;
        this.leash = Leash.of(process);
        this.ownsNoOtherSegments = "mmap".equals(command.settings().get("dynamic_shared_memory_type"));
    }

    /**
     * Starts an engine; does not wait until it accepts connections.
     *
     * @param onExit called once, from a thread of this class, when the postmaster has ended for whatever reason
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The action logs its own failure.
    public static EngineProcess start(EngineCommand command, Runnable onExit)
            throws EngineException, InterruptedException {
        EngineLog log = EngineLog.open(command.logFile());
        ProcessBuilder builder = EngineTool.builder(
                command.user(),
                Leash.wrap(
                        serverCommand(command),
                        command.whenOrphaned(),
                        command.family().clusterName()));
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
        Process process;
        try {
            process = Pinning.callBound(command.binding(), () -> {
                WriteFence.around(command.mayWrite(), log.file());
                return builder.start();
            });
        } catch (ExecutionException e) {
            throw new EngineException("Cannot start " + command.postgres() + ": " + e.getCause() + ".", e);
        }
        EngineProcess engine = new EngineProcess(process, command, log);
        RUNNING.add(engine);
        HeardTask ended = new HeardTask(
                () -> engine.ended(onExit),
                e -> logger.error("The end of the engine's process {} could not be reported", engine.pid(), e));
        process.onExit().thenRunAsync(ended, EXITS);
        return engine;
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
        for (EngineProcess engine : RUNNING) {
            try {
                engine.log.bound();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the process ID of the postmaster. */
    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Whether the postmaster has been stopped (SIGSTOP): connections are then taken by the kernel and never answered. */
    public boolean frozen() {
        return ProcessTable.of(pid()).map(ProcessTable.Entry::frozen).orElse(false);
    }

    /** Returns why the engine ended, in its own words: its last FATAL line. */
    public String reason() {
        String reason = log.reason();
        return (reason.isEmpty() ? "no message" : reason) + " (log: " + log.file() + ")";
    }

    /**
     * Blocks until the engine accepts connections.
     *
     * @throws EngineException if it ended instead, or {@code patience} has passed; then it is left as it is
     */
    public void awaitReady(Duration patience) throws EngineException, InterruptedException {
        awaitReady(patience, () -> "", () -> false);
    }

    /**
     * Blocks until a standby accepts read-only connections, however much log it has to replay before.
     *
     * @param hopeless called while its replay stands still: whether it will go on doing so
     * @throws EngineException if it ended instead, or its replay has stood still for {@code standstill}; then it is left as it
     *     is
     */
    public void awaitReplayed(Duration standstill, BooleanSupplier hopeless)
            throws EngineException, InterruptedException {
        awaitReady(standstill, family::replaying, hopeless);
    }

    /**
     * @param position a value that grows with the engine's progress; whenever it has grown, {@code patience} begins anew
     */
    void awaitReady(Duration patience, Supplier<String> position, BooleanSupplier hopeless)
            throws EngineException, InterruptedException {
        long begun = System.nanoTime();
        long pause = patience.toNanos() / LOOKS;
        long progressed = begun;
        long looked = begun;
        String furthest = "";
        while (!ready()) {
            if (process.waitFor(5, TimeUnit.MILLISECONDS)) {
                throw new EngineException("The engine on " + dataDirectory + " did not start: " + reason() + ".");
            }
            long now = System.nanoTime();
            if (now - looked < pause) {
                continue;
            }
            looked = now;
            String reached = position.get();
            if (reached.compareTo(furthest) > 0) {
                furthest = reached;
                progressed = now;
            }
            if (now - progressed > patience.toNanos() || (now - progressed > pause && hopeless.getAsBoolean())) {
                throw new EngineException("The engine on " + dataDirectory + " was not ready after "
                        + TimeUnit.NANOSECONDS.toSeconds(now - begun) + " s: " + reason() + ".");
            }
        }
    }

    /** Whether it accepts connections, according to its own lock file, so that no connection is needed. */
    public boolean ready() {
        return PostmasterFile.read(dataDirectory)
                .map(file -> file.pid() == pid() && file.status().equals("ready"))
                .orElse(false);
    }

    /**
     * Asks the engine to end and waits. A frozen engine is thawed first.
     *
     * @return whether it has ended within {@code patience}
     */
    public boolean stop(StopMode mode, Duration patience) throws InterruptedException {
        if (process.isAlive()) {
            Native.kill(pid(), mode.signal);
            family.resume();
        }
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes the engine read its configuration files again; its sessions adopt them before their next statement. */
    public void reload() {
        if (process.isAlive()) {
            Native.kill(pid(), SIGHUP);
        }
    }

    /** Ends every process of the engine at once, frozen ones too; none is left when this returns. */
    public void killAll() {
        process.destroyForcibly();
        family.killAll();
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("postmaster " + pid() + " outlives SIGKILL", e);
        }
        // An engine that found another server on the data has left that server's file untouched.
        PostmasterFile.read(dataDirectory).filter(file -> file.pid() == pid()).ifPresent(file -> {
            if (ownsNoOtherSegments) {
                SharedMemory.remove(file.sharedMemory(), user);
            }
            PostmasterFile.clean(dataDirectory);
        });
    }

    /** Returns its living processes: the postmaster, its helpers, the backends. */
    public List<Long> pids() {
        return family.members();
    }

    private static List<String> serverCommand(EngineCommand command) {
        List<String> server = new ArrayList<>();
        // setsid takes the server out of the terminal's process group; the server then replaces it within the same
        // process.
        for (String directory : List.of("/usr/bin", "/bin")) {
            if (server.isEmpty() && Files.isExecutable(Path.of(directory, "setsid"))) {
                server.add(directory + "/setsid");
            }
        }
        server.add(command.postgres().toString());
        server.add("-D");
        server.add(command.dataDirectory().toString());
        for (Map.Entry<String, String> setting : command.settings().entrySet()) {
            server.add("-c");
            server.add(setting.getKey() + "=" + setting.getValue());
        }
        return server;
    }
}
