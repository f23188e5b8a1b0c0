package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.readableFile;

import io.multimed.server.config.Configuration.Console;
import io.multimed.server.config.Configuration.Tls;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the keys of the table {@code [metrics]} that concern the console. Refuses an address that other machines can reach without a
 * password and TLS.
 */
final class ConsoleKeys {
    private ConsoleKeys() {}

    /**
     * Reads the keys; what is wrong is among the problems of the table.
     *
     * @param table that of the metrics
     * @param base the directory to which names of files are relative
     * @param listen address of the metrics
     * @param tls that of the endpoint
     */
    static Console read(TomlTable table, Path base, Optional<ListenAddress> listen, Optional<Tls> tls) {
        Console standard = Configuration.STANDARD.console();
        Console console = new Console(
                table.flag("console", standard.shown()),
                readableFile(table, "password_file", base),
                table.flag("tls", standard.tls()));
        table.end();
        if (console.tls() && tls.isEmpty()) {
            table.problem(
                    "tls", "needs the certificate of the endpoint (endpoint.tls.certificate and endpoint.tls.key)");
        }
        if (console.shown() && listen.isEmpty()) {
            table.problem("console", "is shown on the port of the metrics, and metrics.listen is \"off\"");
        }
        boolean guarded = table.has("password_file") && console.tls();
        boolean somethingToGuard = console.shown() || table.has("password_file");
        if (listen.isPresent() && somethingToGuard && !guarded && isReachable(listen.get())) {
            table.problem(
                    console.shown() ? "console" : "password_file",
                    listen.get() + " can be reached from other machines, which is allowed only with both a password"
                            + " (metrics.password_file) and TLS (metrics.tls = true); without them use a loopback"
                            + " address such as 127.0.0.1");
        }
        return console;
    }

    /** Whether other machines can reach the address. One that is not known cannot be listened on either. */
    private static boolean isReachable(ListenAddress address) {
        try {
            return !address.resolve().getAddress().isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
