package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Used;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.model.Role;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import io.multimed.server.status.StatusJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Multimed as its users start it: a process of its own, by the command {@code multimed up}.
 *
 * @param options number and settings of its Satellites
 * @param storage of the Satellites: {@code memory} (C1) or {@code disk} (C0)
 * @param freshness that clients choose
 * @param coalesce whether a read that several clients request at once is executed once
 * @param carried by a partial Satellite
 */
record MultimedSystem(
        String name,
        Equipment equipment,
        Systems.Options options,
        String storage,
        String freshness,
        boolean coalesce,
        Carried carried)
        implements SystemUnderTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long LOOK_MILLIS = 20;

    /** Returns the number of full Satellites. */
    private int full() {
        return carried.alone() ? Math.max(0, options.satellites() - 1) : options.satellites();
    }

    @Override
    public String description() {
        int satellites = full();
        return "Multimed, " + satellites + (satellites == 1 ? " Satellite" : " Satellites")
                + (satellites == 0 ? "" : " on " + storage)
                + (options.engineCores() == 0 ? "" : " with " + options.engineCores() + " cores each")
                + carried.text()
                + (options.settings().isEmpty() ? "" : " with " + new TreeMap<>(options.settings())) + ", " + freshness
                + " freshness"
                + (coalesce ? "" : ", each read executed by itself") + ", PostgreSQL "
                + equipment.binaries().version();
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        Path config = files.resolve("multimed.toml");
        int metrics = PostgresServer.freePort();
        try {
            Files.writeString(config, """
                    [endpoint]
                    listen = "127.0.0.1:0"
                    max_clients = %d
                    [metrics]
                    listen = "127.0.0.1:%d"
                    [reads]
                    coalesce = %s
                    %s
                    [satellites]
                    count = %d
                    storage = "%s"
                    capture = "%s"
                    [nodes.satellite.settings]
                    %s
                    %s""".formatted(
                            equipment.clients() + 20,
                            metrics,
                            coalesce,
                            cores(),
                            full(),
                            storage,
                            carried.capture(),
                            toml(options.settings()),
                            carried.toml()));
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        List<String> command = new ArrayList<>(equipment.launcher());
        command.addAll(List.of("up", "--dir", data.toString(), "--config", config.toString()));
        Leashed process =
                Leashed.start(name, Launcher.user(), equipment.cores(), command, files.resolve("multimed.err"));
        try {
            int port = awaitReady(process);
            return new Running(process, Home.of(data), port, driverOptions(), new Metrics(metrics), carried);
        } catch (BenchException | InterruptedException | RuntimeException e) {
            end(process, Home.of(data));
            throw e;
        }
    }

    /** Returns the part of the configuration that gives middleware and Master as many cores as each Satellite has. */
    private String cores() {
        return options.engineCores() == 0
                ? ""
                : "[middleware]\ncores = %1$d\n[nodes.master]\ncores = %1$d".formatted(options.engineCores());
    }

    private static String toml(Map<String, String> settings) {
        return new TreeMap<>(settings)
                .entrySet().stream()
                        .map(setting ->
                                "\"" + escaped(setting.getKey()) + "\" = \"" + escaped(setting.getValue()) + "\"")
                        .collect(Collectors.joining("\n"));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /**
     * Ends an instance and removes its directory of sockets, which it keeps for its next start, below /tmp where paths would be
     * too long.
     */
    @SuppressWarnings("Finally") // The directory that stays behind is the failure that a user must deal with.
    private static void end(Leashed process, Home home) throws BenchException {
        try {
            process.close();
        } finally {
            try {
                FileTree.delete(home.run());
            } catch (IOException | UncheckedIOException e) {
                throw new BenchException("cannot remove " + home.run() + ": " + e, e);
            }
        }
    }

    /** Waits for its one line on standard output. */
    private int awaitReady(Leashed process) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            BufferedReader reader = new BufferedReader(
                    new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
            // Reading would block in spite of an interrupt.
            while (!reader.ready()) {
                if (process.process().waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0) {
                    throw new BenchException(name + " does not start: " + process.lastWords());
                }
            }
            String line = reader.readLine();
            // A partial Satellite does not serve before its tables exist.
            int serving = Integer.parseInt(line.replaceFirst(".* satellites=", ""));
            if (serving < full()) {
                throw new BenchException(
                        name + " serves with " + serving + " of " + full() + " Satellites: " + process.lastWords());
            }
            return URI.create(line.split(" ")[1]).getPort();
        } catch (IOException e) {
            throw new BenchException(name + " does not start: " + process.lastWords(), e);
        }
    }

    /** Returns pgjdbc's options; none for strong, the default. */
    private String driverOptions() {
        return freshness.equals("strong") ? "" : "options=-c%20multimed.freshness=" + freshness;
    }

    private record Running(Leashed process, Home home, int port, String options, Metrics metrics, Carried carried)
            implements RunningSystem {
        @Override
        public Address address() {
            return new Address("127.0.0.1", port, options);
        }

        private InstanceStatus status() {
            try {
                return StatusJson.read(
                        ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS));
            } catch (StartException e) {
                throw new IllegalStateException("Multimed does not answer: " + process.lastWords(), e);
            }
        }

        @Override
        public List<Node> nodes() {
            return status().nodes().stream().map(this::node).toList();
        }

        private Node node(NodeStatus status) {
            return new Node(
                    status.name(),
                    new NodeAddress(Path.of(status.host()), status.port()),
                    status.name().equals(carried.node()) ? carried.tables() : List.of());
        }

        private OptionalLong replay(NodeStatus satellite) {
            try {
                return node(satellite).replayPid();
            } catch (SQLException notServing) {
                return OptionalLong.empty();
            }
        }

        @Override
        public Map<String, Long> processes() {
            Map<String, Long> all = new TreeMap<>();
            all.put("middleware", process.pid());
            for (NodeStatus node : status().nodes()) {
                all.put(node.name(), node.pid());
                if (node.role() == Role.SATELLITE) {
                    replay(node).ifPresent(pid -> all.put(node.name() + Used.REPLAY, pid));
                }
            }
            return all;
        }

        @Override
        public Map<String, String> states() {
            return status().nodes().stream().collect(Collectors.toMap(NodeStatus::name, NodeStatus::state));
        }

        @Override
        public Map<String, Long> served() {
            return status().nodes().stream().collect(Collectors.toMap(NodeStatus::name, NodeStatus::served));
        }

        @Override
        public void awaitAll() throws BenchException, InterruptedException {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                List<NodeStatus> waiting = status().nodes().stream()
                        .filter(node -> !node.state().equals("serving"))
                        .toList();
                if (waiting.isEmpty()) {
                    return;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new BenchException(waiting.getFirst().name() + " is still "
                            + waiting.getFirst().state() + ": "
                            + waiting.getFirst().detail());
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }

        @Override
        public Map<String, Double> lagMillis() {
            return status().nodes().stream()
                    .filter(node -> node.role() == Role.SATELLITE)
                    .collect(Collectors.toMap(NodeStatus::name, NodeStatus::lagMillis));
        }

        @Override
        public Optional<Inside.Waits> waits() {
            Map<String, Double> values = metrics.read();
            if (values.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Inside.Waits(
                    values.getOrDefault("multimed_freshness_wait_seconds_count", 0.0)
                            .longValue(),
                    values.getOrDefault("multimed_freshness_wait_seconds_sum", 0.0),
                    values.getOrDefault("multimed_visibility_waits_total", 0.0).longValue()));
        }

        @Override
        public void close() throws BenchException {
            end(process, home);
        }
    }
}
