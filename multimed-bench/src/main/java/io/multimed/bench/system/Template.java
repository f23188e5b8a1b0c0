package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.EngineTool;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * The cluster that is copied for every system: filled once, by one PostgreSQL that need not be durable meanwhile.
 *
 * <p>The isolation of its transactions is the database's own default, since a session's own setting would not survive a pooler
 * that assigns connections for a transaction at a time.
 */
public final class Template {
    /** Name of the cluster's database with the benchmark. */
    public static final String DATABASE = "bench";

    /** Fills the database while its server runs. */
    public interface Filling<T> {
        T fill(Node node) throws SQLException, BenchException, InterruptedException;
    }

    private static final Map<String, String> CARELESS = Map.of(
            "fsync", "off",
            "synchronous_commit", "off",
            "full_page_writes", "off",
            "wal_level", "minimal",
            "max_wal_senders", "0",
            "max_wal_size", "8GB",
            "autovacuum", "off",
            "maintenance_work_mem", "256MB",
            "shared_buffers", "256MB");

    private Template() {}

    /** Makes a new, empty cluster that sorts and compares by bytes, the same on every machine. */
    public static Path initialise(Workspace workspace, EngineBinaries binaries, String name)
            throws BenchException, InterruptedException {
        Path data = workspace.directory(name).resolve("data");
        try {
            EngineTool.run(
                    workspace.user(),
                    List.of(
                            binaries.initdb().toString(),
                            "--pgdata=" + data,
                            "--username=postgres",
                            "--auth=trust",
                            "--encoding=UTF8",
                            "--locale=C",
                            "--data-checksums",
                            "--no-sync",
                            "--no-instructions"),
                    Map.of());
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        return data;
    }

    /**
     * Fills a new cluster and stops its server in order.
     *
     * @param isolation default of transactions, as PostgreSQL writes it
     * @return the result of {@code filling}
     */
    public static <T> T fill(
            Workspace workspace, EngineBinaries binaries, Path data, String isolation, Filling<T> filling)
            throws BenchException, InterruptedException {
        Path files = workspace.directory("loading");
        T filled;
        try (PostgresServer server = PostgresServer.start(
                PostgresServer.ALONE, binaries, workspace.user(), List.of(), data, files, CARELESS)) {
            try (Connection connection = server.node().open("postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + DATABASE);
                statement.execute(
                        "ALTER DATABASE " + DATABASE + " SET default_transaction_isolation = '" + isolation + "'");
            }
            filled = filling.fill(server.node());
            server.stop();
        } catch (SQLException e) {
            throw new BenchException("loading failed: " + e.getMessage(), e);
        }
        workspace.settle(data);
        workspace.remove(files);
        return filled;
    }
}
