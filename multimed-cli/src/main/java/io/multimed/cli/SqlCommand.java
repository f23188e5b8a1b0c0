package io.multimed.cli;

import io.multimed.server.StartException;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code multimed sql}: a shell on the endpoint of a running instance; psql where it is installed, else our own. */
@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        description = "Open a SQL shell on a running instance: psql if it is installed, else a built-in one.")
final class SqlCommand implements Callable<Integer> {
    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Option(
            names = {"-d", "--dbname"},
            paramLabel = "NAME",
            description = "Database (default: postgres).")
    private String database = "postgres";

    @Option(
            names = {"-U", "--username"},
            paramLabel = "NAME",
            description = "Role (default: postgres).")
    private String user = "postgres";

    @Option(
            names = {"-c", "--command"},
            paramLabel = "SQL",
            description = "Execute this and end.")
    @Nullable
    private String command;

    @Option(names = "--built-in", description = "Use the built-in shell even if psql is installed.")
    private boolean builtIn;

    @Override
    public Integer call() throws StartException, InterruptedException {
        Home home = directory.home();
        InstanceStatus status =
                StatusJson.read(ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS));
        Endpoint endpoint = Endpoint.of(status.endpoint());
        Optional<Path> psql = builtIn ? Optional.empty() : onPath("psql");
        if (psql.isEmpty()) {
            return new SqlShell(endpoint.host(), endpoint.port(), database, user, System.in, System.out, System.err)
                    .run(Optional.ofNullable(command));
        }
        List<String> line = new ArrayList<>(List.of(
                psql.get().toString(),
                "-h",
                endpoint.host(),
                "-p",
                Integer.toString(endpoint.port()),
                "-U",
                user,
                "-d",
                database));
        if (command != null) {
            line.addAll(List.of("-c", command));
        }
        try {
            return new ProcessBuilder(line).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new StartException("psql does not run: " + e.getMessage(), e);
        }
    }

    /** Host and port of the endpoint's URI. */
    private record Endpoint(String host, int port) {
        static Endpoint of(String uri) {
            java.net.URI parsed = java.net.URI.create(uri);
            String host = parsed.getHost().replaceAll("[\\[\\]]", "");
            return new Endpoint(
                    host.equals("0.0.0.0") ? "127.0.0.1" : host.equals("::") ? "::1" : host, parsed.getPort());
        }
    }

    private static Optional<Path> onPath(String program) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path candidate = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
