package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Used;
import io.multimed.engine.files.FileTree;
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

/** Multimed as its users start it, whatever its engines: a process of its own, by the command {@code multimed up}. */
record RunningMultimed(Leashed process, Home home, Address address, Metrics metrics, Engines engines)
        implements RunningSystem {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long LOOK_MILLIS = 20;

    /** What depends on the kind of the engines. */
    interface Engines {
        Address address(int port);

        Node node(NodeStatus status);
    }

    /**
     * What to start.
     *
     * @param launcher the command that runs {@code multimed}
     * @param options of {@code multimed up} beside the directory and the configuration
     * @param config of the endpoint, the metrics and all else
     * @param metricsPort that the configuration names
     * @param full number of full Satellites
     */
    record Up(
            String name,
            Home home,
            List<String> launcher,
            List<String> options,
            String config,
            int metricsPort,
            int full) {}

    /**
     * Starts an instance and returns once it serves with all of its full Satellites.
     *
     * @param cores that it may use; empty: all
     * @param files an existing directory
     * @throws BenchException if it did not come up; nothing of it is left then
     */
    static RunningMultimed start(Up up, List<Integer> cores, Engines engines, Path files)
            throws BenchException, InterruptedException {
        Path config = files.resolve("multimed.toml");
        try {
            Files.writeString(config, up.config());
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        Home home = up.home();
        Path named = home.adopted() ? home.data() : home.directory();
        List<String> command = new ArrayList<>(up.launcher());
        command.addAll(List.of("up", "--dir", named.toString(), "--config", config.toString()));
        command.addAll(up.options());
        Leashed process = Leashed.start(up.name(), Launcher.user(), cores, command, files.resolve("multimed.err"));
        try {
            int port = awaitReady(up, process);
            return new RunningMultimed(process, home, engines.address(port), new Metrics(up.metricsPort()), engines);
        } catch (BenchException | InterruptedException | RuntimeException e) {
            end(process, home);
            throw e;
        }
    }

    /** Returns the part of the configuration that gives middleware and Master as many cores as each Satellite has. */
    static String cores(int engineCores) {
        return engineCores == 0
                ? ""
                : "[middleware]\ncores = %1$d\n[nodes.master]\ncores = %1$d".formatted(engineCores);
    }

    /** Returns settings as the configuration has them. */
    static String toml(Map<String, String> settings) {
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
    private static int awaitReady(Up up, Leashed process) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            BufferedReader reader = new BufferedReader(
                    new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
            // Reading would block in spite of an interrupt.
            while (!reader.ready()) {
                if (process.process().waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0) {
                    throw new BenchException(up.name() + " does not start: " + process.lastWords());
                }
            }
            String line = reader.readLine();
            // A partial Satellite does not serve before its tables exist.
            int serving = Integer.parseInt(line.replaceFirst(".* satellites=", ""));
            if (serving < up.full()) {
                throw new BenchException(up.name() + " serves with " + serving + " of " + up.full() + " Satellites: "
                        + process.lastWords());
            }
            return URI.create(line.split(" ")[1]).getPort();
        } catch (IOException e) {
            throw new BenchException(up.name() + " does not start: " + process.lastWords(), e);
        }
    }

    private InstanceStatus status() {
        try {
            return StatusJson.read(ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS));
        } catch (StartException e) {
            throw new IllegalStateException("Multimed does not answer: " + process.lastWords(), e);
        }
    }

    @Override
    public List<Node> nodes() {
        return status().nodes().stream().map(engines::node).toList();
    }

    /** Returns the pid of a Satellite's process that applies the log; empty where none does nothing else. */
    private OptionalLong replay(NodeStatus satellite) {
        try {
            return engines.node(satellite) instanceof PostgresNode node ? node.replayPid() : OptionalLong.empty();
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
                        + waiting.getFirst().state() + ": " + waiting.getFirst().detail());
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
