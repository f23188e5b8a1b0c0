package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Query;
import io.multimed.bench.measure.Used;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One PostgreSQL, or several with the same data behind a proxy. Only the first one is on disk when it acknowledges, as Multimed's
 * Master; the others write with fsync off.
 *
 * @param servers the first one first; grows while they are started
 * @param carried tables that the others carry; empty: all
 */
record EngineGroup(List<PostgresServer> servers, List<String> carried) implements RunningSystem {
    private static final String FIRST = "master";
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** The ways in which they get the same data. */
    enum Replication {
        /** The others replay the first one's log; a commit waits until they show it (synchronous_commit, remote_apply). */
        STREAMING,
        /** They do not know of each other: the proxy executes each write on all of them. */
        BY_STATEMENTS,
        /** The others may subscribe to tables of the first one. */
        SUBSCRIPTION
    }

    /**
     * Starts them and returns once all serve.
     *
     * @param others number of servers beside the first one
     * @param data the first one's cluster
     * @param files an existing directory for the others' clusters, sockets and logs
     * @throws BenchException if one did not come up; nothing of them is left then
     */
    static EngineGroup start(
            Equipment<EngineBinaries> equipment, Replication replication, int others, Path data, Path files)
            throws BenchException, InterruptedException {
        Map<String, String> durable = Standalone.durable(
                equipment.memoryBytes() / (1 + others), equipment.clients() + Standalone.SPARE_CONNECTIONS);
        Map<String, String> first = new TreeMap<>(durable);
        Map<String, String> other = new TreeMap<>(durable);
        other.putAll(Map.of("fsync", "off", "full_page_writes", "off"));
        if (replication == Replication.SUBSCRIPTION) {
            first.put("wal_level", "logical");
        }
        boolean streams = replication == Replication.STREAMING && others > 0;
        if (streams) {
            first.put("synchronous_commit", "remote_apply");
            first.put("synchronous_standby_names", others + " (*)");
            // Without this setting vacuum ends long reads there, or a commit waits for them.
            other.put("hot_standby_feedback", "on");
            // A standby cannot replay the log of a cluster that was written only with the settings for loading.
            try (PostgresServer once = server(equipment, FIRST, data, files, first)) {
                once.stop();
            }
        }
        List<Path> places = new ArrayList<>();
        for (int number = 1; number <= others; number++) {
            Path place = equipment.workspace().below(files, "copy-" + number);
            equipment.workspace().copy(data, place.resolve("data"));
            places.add(place);
        }
        EngineGroup group = new EngineGroup(new ArrayList<>(), List.of());
        try {
            PostgresServer master = server(equipment, FIRST, data, files, first);
            group.servers.add(master);
            for (Path place : places) {
                String name = String.valueOf(place.getFileName());
                Path copy = place.resolve("data");
                if (streams) {
                    signalStandby(equipment, copy);
                    other.put("primary_conninfo", connectionTo(master) + " application_name=" + name);
                }
                group.servers.add(server(equipment, name, copy, place, other));
            }
            if (streams) {
                awaitStreaming(master, others);
            }
            return group;
        } catch (BenchException | InterruptedException | RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private static PostgresServer server(
            Equipment<EngineBinaries> equipment, String name, Path data, Path files, Map<String, String> settings)
            throws BenchException, InterruptedException {
        return PostgresServer.start(
                name, equipment.binaries(), equipment.workspace().user(), equipment.cores(), data, files, settings);
    }

    private static String connectionTo(PostgresServer master) {
        return "host=" + master.node().address().directory() + " port=" + master.port() + " user=postgres";
    }

    private static void signalStandby(Equipment<EngineBinaries> equipment, Path data) throws BenchException {
        Path signal = data.resolve("standby.signal");
        try {
            Files.createFile(signal);
            equipment.workspace().user().own(signal);
        } catch (IOException e) {
            throw new BenchException("cannot write " + signal + ": " + e, e);
        }
    }

    private static void awaitStreaming(PostgresServer master, int others) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try (Connection connection = master.node().open("postgres")) {
            while (Query.number(connection, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
                    != others) {
                if (System.nanoTime() - deadline > 0) {
                    throw new BenchException("the hot standbys of the PostgreSQL on "
                            + master.node().address().directory() + " do not follow it");
                }
                Thread.sleep(20);
            }
        } catch (SQLException e) {
            throw new BenchException("cannot ask whether the hot standbys follow: " + e.getMessage(), e);
        }
    }

    @Override
    public Address address() {
        return Address.postgresql(servers.getFirst().port(), "");
    }

    @Override
    public List<Node> nodes() {
        return List.copyOf(engines());
    }

    /** Returns the nodes as what they are. */
    List<PostgresNode> engines() {
        return servers.stream()
                .map(PostgresServer::node)
                .map(node -> node.name().equals(FIRST) ? node : new PostgresNode(node.name(), node.address(), carried))
                .toList();
    }

    @Override
    public Map<String, Long> processes() {
        Map<String, Long> all = new TreeMap<>();
        for (PostgresServer server : servers) {
            String name = server.node().name();
            all.put(name, server.pid());
            if (servers.size() > 1) {
                replay(server).ifPresent(pid -> all.put(name + Used.REPLAY, pid));
            }
        }
        return all;
    }

    private static OptionalLong replay(PostgresServer server) {
        try {
            return server.node().replayPid();
        } catch (SQLException e) {
            throw new IllegalStateException(server.node().name() + " does not answer", e);
        }
    }

    @Override
    public void close() {
        servers.forEach(PostgresServer::close);
    }
}
