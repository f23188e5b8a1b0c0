package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A system that serves. */
public interface RunningSystem extends AutoCloseable {
    /** Returns the address for clients, without the name of the database. */
    Address address();

    /** Returns the engines that hold the data, the Master first. */
    List<Node> nodes();

    /** Returns its processes, each with all its descendants that are not named themselves: names and pids. */
    Map<String, Long> processes();

    /** Returns each Satellite's present lag: milliseconds since the oldest commit was received that it has not applied. */
    default Map<String, Double> lagMillis() {
        return Map.of();
    }

    /** Returns the state of each node, in the words of {@code multimed status}; empty if there is only one node. */
    default Map<String, String> states() {
        return Map.of();
    }

    /** Returns the number of transactions that each node has served since it started; empty where they are not counted. */
    default Map<String, Long> served() {
        return Map.of();
    }

    /** Returns the node that carries only some tables, if there is one. */
    default Optional<Node> partial() {
        return nodes().stream().filter(Node::partial).findFirst();
    }

    /** Waits until every node serves: one that carries only some tables may have started before these exist. */
    default void awaitAll() throws BenchException, InterruptedException {}

    /** Returns the waits of its readers since it started; empty where they are not counted. */
    default Optional<Inside.Waits> waits() {
        return Optional.empty();
    }

    /** Ends the system and waits until it has ended. An interrupt is kept for later. */
    @Override
    void close() throws BenchException;

    /** An address for clients, on 127.0.0.1. */
    interface Address {
        /** Returns a URL of the engine's JDBC driver. */
        String url(String database);

        /**
         * Returns that of a PostgreSQL. It has no timeout for connecting: with one Java leaves the socket non-blocking, and each answer
         * costs a client two more system calls, a vain attempt to read and a poll.
         *
         * @param options of pgjdbc that the system needs, such as {@code "prepareThreshold=0"}; may be empty
         */
        static Address postgresql(int port, String options) {
            return database -> "jdbc:postgresql://127.0.0.1:" + port + "/" + database
                    + "?user=postgres&sslmode=disable&gssEncMode=disable&connectTimeout=0&ApplicationName=bench"
                    + (options.isEmpty() ? "" : "&" + options);
        }

        /** Returns that of a MariaDB. */
        static Address mariadb(int port) {
            return database -> "jdbc:mariadb://127.0.0.1:" + port + "/" + database + MariaDbNode.login();
        }
    }
}
