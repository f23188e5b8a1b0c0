package io.multimed.mariadb;

import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.plan.SystemModel;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The parts of an instance.
 *
 * @param user as which the engines run
 * @param directory for the Master's data and sockets; the user must be able to enter it
 * @param logs an existing directory for the engines' logs
 * @param memory a directory in tmpfs, of the user's, for the Satellites' data
 * @param listen the endpoint's address; port 0 selects a free one
 * @param model the nodes, with their cores and memory
 * @param tables about the instance, for clients
 */
public record MariaDbOptions(
        MariaDbBinaries binaries,
        EngineUser user,
        Path directory,
        Path logs,
        Path memory,
        InetSocketAddress listen,
        SystemModel model,
        MariaDbTables tables) {}
