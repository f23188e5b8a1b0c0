package io.multimed.engine.postgresql.process;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.LaunchCommand;
import io.multimed.engine.process.LeashedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A running engine: its postmaster and all processes that it forks.
 *
 * <p>Thread-safe. The postmaster is a child of Multimed with a session of its own, so that Ctrl-C in a terminal reaches
 * Multimed alone, which then ends its engines in its own order.
 */
public final class EngineProcess {
    /** Number of checks of an engine within its patience: each check looks at all processes of the machine. */
    private static final int LOOKS = 100;

    private static final int SIGHUP = 1;
    private static final Duration LOOK = Duration.ofMillis(5);

    private final LeashedProcess process;
    private final Path dataDirectory;
    private final ClusterProcesses family;
    private final EngineUser user;
    /**
     * Whether its System V segment may be removed after a kill, so that it does not stay for ever when the data is deleted.
     * Otherwise the next start needs it: it leads to segments of parallel queries that are to be removed too.
     */
    private final boolean ownsNoOtherSegments;

    private EngineProcess(LeashedProcess process, EngineCommand command) {
        this.process = process;
        this.dataDirectory = command.dataDirectory();
        this.family = command.family();
        this.user = command.user();
        this.ownsNoOtherSegments = "mmap".equals(command.settings().get("dynamic_shared_memory_type"));
    }

    /**
     * Starts an engine; does not wait until it accepts connections.
     *
     * @param onExit called once, from a thread of its own, when the postmaster has ended for whatever reason
     */
    public static EngineProcess start(EngineCommand command, Runnable onExit)
            throws EngineException, InterruptedException {
        LaunchCommand launch = new LaunchCommand(
                serverCommand(command),
                command.family().clusterName(),
                command.logFile(),
                List.of("FATAL:", "PANIC:"),
                command.user(),
                command.binding(),
                command.mayWrite(),
                command.whenOrphaned().signalName);
        return new EngineProcess(LeashedProcess.start(launch, onExit), command);
    }

    /** Returns the process ID of the postmaster. */
    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.alive();
    }

    /** Whether the postmaster has been stopped (SIGSTOP): connections are then taken by the kernel and never answered. */
    public boolean frozen() {
        return process.frozen();
    }

    /** Returns why the engine ended, in its own words: its last FATAL line. */
    public String reason() {
        return process.reason();
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
            if (process.awaitEnd(LOOK)) {
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
        if (process.alive()) {
            process.signal(mode.signal);
            family.resume();
        }
        return process.awaitEnd(patience);
    }

    /** Makes the engine read its configuration files again; its sessions adopt them before their next statement. */
    public void reload() {
        process.signal(SIGHUP);
    }

    /** Ends every process of the engine at once, frozen ones too; none is left when this returns. */
    public void killAll() {
        process.kill();
        family.killAll();
        process.awaitDeath();
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
