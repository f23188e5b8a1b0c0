package io.multimed.mariadb;

import io.multimed.endpoint.mysql.config.MysqlTls;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.plan.SystemModel;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an instance.
 *
 * @param user as which the engines run
 * @param directory for the Master's data and sockets; the user must be able to enter it
 * @param logs an existing directory for the engines' logs
 * @param memory a directory in tmpfs, of the user's, for the Satellites' data
 * @param listening the endpoint's address and TLS
 * @param model the nodes, with their cores and memory
 * @param tables about the instance, for clients
 */
public record MariaDbOptions(
        MariaDbBinaries binaries,
        EngineUser user,
        Path directory,
        Path logs,
        Path memory,
        Listening listening,
        SystemModel model,
        MariaDbTables tables) {
    /**
     * Where clients connect.
     *
     * @param address port 0 selects a free one
     * @param tls null if clients cannot have it
     */
    public record Listening(
            InetSocketAddress address, @Nullable MysqlTls tls) {}
}
