package io.multimed.mariadb;

import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.plan.SystemModel;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * The parts of an instance.
 *
 * @param user as which the engines run
 * @param directory for the Master's data and sockets; the user must be able to enter it
 * @param logs an existing directory for the engines' logs
 * @param memory a directory in tmpfs, of the user's, for the Satellites' data
 * @param front the side that clients see
 * @param model the nodes, with their cores and memory
 */
public record MariaDbOptions(
        MariaDbBinaries binaries,
        EngineUser user,
        Path directory,
        Path logs,
        Path memory,
        Front front,
        SystemModel model) {
    /**
     * The side of an instance that clients see.
     *
     * @param listen the endpoint's address; port 0 selects a free one
     * @param choices changes the endpoint's defaults
     * @param tables about the instance
     */
    public record Front(InetSocketAddress listen, UnaryOperator<MysqlEndpointOptions> choices, MariaDbTables tables) {
        /** Returns one with the endpoint's defaults, and without tables. */
        public static Front at(InetSocketAddress listen) {
            return new Front(listen, UnaryOperator.identity(), MariaDbTables.NONE);
        }
    }
}
