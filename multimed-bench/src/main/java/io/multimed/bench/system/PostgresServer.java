package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.Interruptible;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.EngineCommand;
import io.multimed.engine.postgresql.process.EngineProcess;
import io.multimed.engine.postgresql.process.StopMode;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One PostgreSQL that listens on a free port of 127.0.0.1 and on a private socket. */
final class PostgresServer implements AutoCloseable {
    /** Name of a server that is the only one. */
    static final String ALONE = "postgresql";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration AT_ONCE = Duration.ofSeconds(10);

    private final EngineProcess process;
    private final PostgresNode node;
    private final int port;

    private PostgresServer(EngineProcess process, PostgresNode node, int port) {
        this.process = process;
        this.node = node;
        this.port = port;
    }

    /**
     * Starts the server and waits until it serves.
     *
     * @param name in measurements
     * @param cores that it may use; empty: all
     * @param files a directory of the engines' user, for socket and log
     */
    static PostgresServer start(
            String name,
            EngineBinaries binaries,
            EngineUser user,
            List<Integer> cores,
            Path data,
            Path files,
            Map<String, String> settings)
            throws BenchException, InterruptedException {
        int port = freePort();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("listen_addresses", "127.0.0.1");
        all.put("port", Integer.toString(port));
        all.put("unix_socket_directories", files.toString());
        all.put("unix_socket_permissions", "0700");
        all.put("logging_collector", "off");
        all.put("dynamic_shared_memory_type", "sysv");
        all.put("restart_after_crash", "off");
        all.putAll(settings);
        EngineCommand command = new EngineCommand(
                binaries.postgres(),
                data,
                all,
                ClusterProcesses.of("bench", data),
                files.resolve("postgresql.log"),
                user,
                CoreBinding.toCores(cores),
                List.of(),
                StopMode.IMMEDIATE);
        try {
            EngineProcess started = EngineProcess.start(command, () -> {});
            try {
                started.awaitReady(PATIENCE);
            } catch (EngineException | InterruptedException | RuntimeException e) {
                started.killAll();
                throw e;
            }
            return new PostgresServer(started, new PostgresNode(name, new NodeAddress(files, port)), port);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    PostgresNode node() {
        return node;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** Ends it in order, so that its files are those of a stopped server. */
    void stop() throws BenchException, InterruptedException {
        if (!process.stop(StopMode.FAST, PATIENCE)) {
            process.killAll();
            throw new BenchException(
                    "PostgreSQL on " + node.address().directory() + " did not end: " + process.reason());
        }
        process.killAll();
    }

    /**
     * Ends it without a checkpoint, since its files are not needed any more. Unlike a killed server, it removes its shared
     * memory.
     */
    @Override
    public void close() {
        Interruptible.keeping(() -> process.stop(StopMode.IMMEDIATE, AT_ONCE));
        process.killAll();
    }

    static int freePort() throws BenchException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("there is no free port on 127.0.0.1: " + e, e);
        }
    }
}
