package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A system that serves. */
public interface RunningSystem extends AutoCloseable {
    /** Returns the address for clients, for pgjdbc, without the name of the database. */
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

    /**
     * An address for clients.
     *
     * @param options of pgjdbc that this system needs, such as {@code "prepareThreshold=0"}; may be empty
     */
    record Address(String host, int port, String options) {
        /**
         * Returns a URL of pgjdbc. It has no timeout for connecting: with one Java leaves the socket non-blocking, and each
         * answer costs a client two more system calls, a vain attempt to read and a poll.
         */
        public String url(String database) {
            return "jdbc:postgresql://" + host + ":" + port + "/" + database + "?user=postgres&sslmode=disable"
                    + "&gssEncMode=disable&connectTimeout=0&ApplicationName=bench"
                    + (options.isEmpty() ? "" : "&" + options);
        }
    }
}
