package io.multimed.server.metrics;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import io.multimed.server.config.ListenAddress;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Serves metrics to Prometheus, and perhaps pages beside them. */
public final class MetricsServer implements AutoCloseable {
    private final HTTPServer server;

    private MetricsServer(HTTPServer server) {
        this.server = server;
    }

    /**
     * The other things that the port serves, and to whom it serves.
     *
     * @param pages answers all that is not about metrics; null if there is nothing
     * @param password who may see anything; null if everybody may
     * @param tls null without TLS
     */
    public record Extent(
            @Nullable HttpHandler pages,
            @Nullable Authenticator password,
            @Nullable HttpsConfigurator tls) {
        public static final Extent METRICS = new Extent(null, null, null);
    }

    /**
     * Starts listening.
     *
     * @throws IOException if listening on the address is not possible
     */
    public static MetricsServer start(ListenAddress listen, InstanceMetrics metrics, Extent extent) throws IOException {
        HTTPServer.Builder builder =
                HTTPServer.builder().hostname(listen.host()).port(listen.port()).registry(metrics.registry());
        if (extent.pages != null) {
            builder.defaultHandler(extent.pages);
        }
        if (extent.password != null) {
            builder.authenticator(extent.password);
        }
        if (extent.tls != null) {
            builder.httpsConfigurator(extent.tls);
        }
        return new MetricsServer(builder.buildAndStart());
    }

    /** Returns the listening port. */
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.stop();
    }
}
