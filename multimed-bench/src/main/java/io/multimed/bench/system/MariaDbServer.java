package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.Interruptible;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.mariadb.process.EngineFiles;
import io.multimed.engine.mariadb.process.MariaDbProcess;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One MariaDB that listens on a free port of 127.0.0.1 and on a private socket. */
final class MariaDbServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MariaDbProcess process;
    private final MariaDbNode node;
    private final int port;

    private MariaDbServer(MariaDbProcess process, MariaDbNode node, int port) {
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
    static MariaDbServer start(
            String name,
            MariaDbBinaries binaries,
            EngineUser user,
            List<Integer> cores,
            Path data,
            Path files,
            Map<String, String> settings)
            throws BenchException, InterruptedException {
        int port = PostgresServer.freePort();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("bind_address", "127.0.0.1");
        all.put("port", Integer.toString(port));
        all.put("skip_name_resolve", "1");
        all.put("ssl", "0");
        all.putAll(settings);
        EngineFiles place = EngineFiles.place(files, user);
        try {
            MariaDbProcess started = MariaDbProcess.start(
                    new MariaDbProcess.Command(
                            binaries,
                            "bench",
                            place,
                            data,
                            all,
                            EngineAccount.fresh("harness"),
                            files.resolve("mariadb.log"),
                            CoreBinding.toCores(cores),
                            List.of()),
                    () -> {});
            try {
                started.awaitReady(PATIENCE);
            } catch (EngineException | InterruptedException | RuntimeException e) {
                started.kill();
                throw e;
            }
            return new MariaDbServer(started, new MariaDbNode(name, place.socket(), List.of()), port);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    MariaDbNode node() {
        return node;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** Executes statements as the engine's superuser, one after the other. */
    void execute(List<String> statements) throws BenchException {
        try (EngineConnection connection = process.connect()) {
            for (String sql : statements) {
                connection.execute(sql);
            }
        } catch (IOException e) {
            throw new BenchException("MariaDB refuses a statement of the harness: " + e.getMessage(), e);
        }
    }

    /** Ends it in order, so that its files are those of a stopped server. */
    void stop() throws BenchException, InterruptedException {
        if (!process.stop(PATIENCE)) {
            process.kill();
            throw new BenchException("MariaDB did not end: " + process.reason());
        }
    }

    /** Ends it at once, since its files are not needed any more. */
    @Override
    public void close() {
        Interruptible.keeping(process::kill);
    }
}
