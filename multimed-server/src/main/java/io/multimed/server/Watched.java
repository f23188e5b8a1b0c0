package io.multimed.server;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpsConfigurator;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.console.ConsoleAccess;
import io.multimed.server.console.ConsoleData;
import io.multimed.server.console.ConsoleHistory;
import io.multimed.server.console.ConsolePages;
import io.multimed.server.metrics.InstanceMetrics;
import io.multimed.server.metrics.MetricsServer;
import io.multimed.server.metrics.PostgresMetrics;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.status.InstanceStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port on which people and programs watch the instance: metrics, and the console if it is shown. */
final class Watched implements AutoCloseable {
    private final MetricsServer server;
    private final @Nullable ConsoleHistory history;

    private Watched(MetricsServer server, @Nullable ConsoleHistory history) {
        this.server = server;
        this.history = history;
    }

    /** The instance, as far as it is shown. */
    record Instance(
            String version,
            Supplier<InstanceStatus> status,
            Supplier<SatelliteComparison.Counts> compared,
            PostgresEndpoint endpoint,
            Nodes nodes) {
        /** Returns the instance's metrics. */
        InstanceMetrics metrics() {
            return PostgresMetrics.of(status, compared, endpoint, nodes);
        }

        private ConsoleHistory history() {
            List<ComputationalNode> all = new ArrayList<>(nodes.satellites());
            all.addFirst(nodes.master());
            return new ConsoleHistory(
                    all,
                    status,
                    endpoint::clients,
                    () -> endpoint.counters().stream()
                            .mapToLong(RouteCounters::queries)
                            .sum());
        }
    }

    /**
     * Opens the port.
     *
     * @param configuration with an address for metrics
     * @throws IOException if that is not possible
     */
    static Watched start(Configuration configuration, Instance instance) throws IOException {
        ListenAddress listen = configuration.metrics().orElseThrow();
        Configuration.Console console = configuration.console();
        Authenticator password =
                console.password().isPresent() ? password(console.password().get()) : null;
        ConsoleHistory history = console.shown() ? instance.history() : null;
        ConsolePages pages = history == null
                ? null
                : new ConsolePages(
                        new ConsoleData(instance.version, instance.status, instance.endpoint, history),
                        password == null);
        MetricsServer server;
        try {
            server = MetricsServer.start(
                    listen, instance.metrics(), new MetricsServer.Extent(pages, password, tls(configuration)));
        } catch (IOException e) {
            throw new IOException(listen + " cannot be listened on: " + e.getMessage(), e);
        }
        if (history != null) {
            history.start();
        }
        return new Watched(server, history);
    }

    private static Authenticator password(Path file) throws IOException {
        try {
            return ConsoleAccess.password(file);
        } catch (IOException e) {
            throw new IOException("metrics.password_file: " + file + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable HttpsConfigurator tls(Configuration configuration) throws IOException {
        Optional<Configuration.Tls> files = configuration.endpoint().tls();
        return configuration.console().tls() && files.isPresent()
                ? ConsoleAccess.tls(files.get().certificate(), files.get().key())
                : null;
    }

    @Override
    public void close() {
        server.close();
        if (history != null) {
            history.close();
        }
    }
}
