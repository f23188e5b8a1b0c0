package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.ProgramCache;
import io.multimed.engine.mariadb.binaries.EmbeddedMariaDb;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.mariadb.cluster.MariaDbMaster;
import io.multimed.engine.mariadb.cluster.MariaDbMasterConfig;
import io.multimed.engine.process.CoreBinding;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.mariadb.jdbc.util.VersionFactory;

/** MariaDB. */
public final class MariaDbKind implements ServerKind<MariaDbBinaries> {
    private static final String DURABLE = "innodb_flush_log_at_trx_commit = 1 on the Master or the one MariaDB";
    private static final Map<String, String> CARELESS = Map.of(
            "innodb_flush_log_at_trx_commit", "0",
            "innodb_doublewrite", "0",
            "innodb_buffer_pool_size", "512M",
            "innodb_log_file_size", "512M",
            "local_infile", "1");

    @Override
    public String user() {
        return "mysql";
    }

    @Override
    public String program() {
        return "io.multimed.mariadb.cli.MariaDbMain";
    }

    @Override
    public MariaDbBinaries programs() throws BenchException, InterruptedException {
        try {
            return EmbeddedMariaDb.unpack(ProgramCache.standard(), CopyProgress.SILENT);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public List<String> systems() {
        return MariaDbSystems.names();
    }

    @Override
    public SystemUnderTest system(String name, Equipment<MariaDbBinaries> equipment, Systems.Options options) {
        return MariaDbSystems.of(name, equipment, options);
    }

    @Override
    public Path initialise(Workspace workspace, MariaDbBinaries programs, String name)
            throws BenchException, InterruptedException {
        Path files = workspace.directory(name);
        Path data = files.resolve("data");
        try {
            // As a Multimed makes it, which is going to run on copies.
            new MariaDbMaster(new MariaDbMasterConfig(
                            programs,
                            workspace.user(),
                            data,
                            files,
                            files.resolve("mariadb.log"),
                            CoreBinding.NONE,
                            0,
                            0,
                            Map.of()))
                    .initialise();
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        return data;
    }

    @Override
    public <T> T fill(
            Workspace workspace, MariaDbBinaries programs, Path data, String isolation, Template.Filling<T> filling)
            throws BenchException, InterruptedException {
        Path files = workspace.directory("loading");
        T filled;
        try (MariaDbServer server =
                MariaDbServer.start("mariadb", programs, workspace.user(), List.of(), data, files, CARELESS)) {
            server.execute(List.of(
                    // Letters and accents differ, as in the PostgreSQL that it is compared with.
                    "CREATE DATABASE " + Template.DATABASE + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                    "CREATE USER " + MariaDbNode.USER + " IDENTIFIED BY '" + MariaDbNode.PASSWORD + "'",
                    "GRANT ALL ON *.* TO " + MariaDbNode.USER,
                    // Otherwise each foreign key would be made by a copy of its table. The invariants check all
                    // references.
                    "SET GLOBAL foreign_key_checks = 0"));
            filled = filling.fill(server.node());
            server.stop();
        } catch (SQLException e) {
            throw new BenchException("loading failed: " + e.getMessage(), e);
        }
        workspace.settle(data);
        workspace.remove(files);
        return filled;
    }

    @Override
    public String driver() {
        return "MariaDB Connector/J " + VersionFactory.getInstance().getVersion();
    }

    @Override
    public String durability(String system) {
        return DURABLE
                + (MariaDbSystems.hasBinaryLog(system)
                        ? ", and its binary log with sync_binlog = 1"
                        : ", which has no binary log");
    }
}
