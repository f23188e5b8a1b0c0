package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.cli.Option;

/**
 * {@code multimed sql}: opens a shell on the endpoint of a running instance; psql where it is installed, else the built-in one.
 */
final class SqlCommand {
    private static final Option DATABASE = Arguments.value("d", "dbname", "NAME", "Database (default: postgres).");
    private static final Option USER = Arguments.value("U", "username", "NAME", "Role (default: postgres).");
    private static final Option EXECUTE = Arguments.value("c", "command", "SQL", "Execute this and end.");
    private static final Option BUILT_IN =
            Arguments.flag("built-in", "Use the built-in shell even if psql is installed.");

    static final Subcommand COMMAND = new Subcommand(
            "sql",
            "Open a SQL shell on a running instance: psql if it is installed, else a built-in one.",
            List.of(DirectoryOption.DIR, DATABASE, USER, EXECUTE, BUILT_IN),
            SqlCommand::run);

    private SqlCommand() {}

    private static int run(Arguments given) throws StartException, InterruptedException {
        Home home = DirectoryOption.home(given);
        String database = given.text(DATABASE).orElse("postgres");
        String user = given.text(USER).orElse("postgres");
        Optional<String> command = given.text(EXECUTE);
        InstanceStatus status =
                StatusJson.read(ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS));
        ListenAddress endpoint = reachable(status.endpoint());
        Optional<Path> psql = given.has(BUILT_IN) ? Optional.empty() : onPath("psql");
        if (psql.isEmpty()) {
            SqlShell shell =
                    new SqlShell(endpoint.host(), endpoint.port(), database, user, System.in, System.out, System.err);
            ProgramSignals.handle("INT", () -> {
                if (!shell.interrupt()) {
                    Runtime.getRuntime().exit(SqlShell.INTERRUPTED_STATUS);
                }
            });
            return shell.run(command);
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
        command.ifPresent(sql -> line.addAll(List.of("-c", sql)));
        CompletableFuture<Process> started = new CompletableFuture<>();
        // The terminal sends Ctrl-C to both processes, and it is meant for psql. It ends this JVM, too, which therefore
        // waits for psql's end.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endAfter(started), "multimed-psql"));
        try {
            started.complete(new ProcessBuilder(line).inheritIO().start());
            return statusOf(started.join());
        } catch (IOException e) {
            throw new StartException("psql does not run: " + e.getMessage(), e);
        } finally {
            started.cancel(false);
        }
    }

    /** Ends this JVM after psql, even if psql is just being started. */
    private static void endAfter(CompletableFuture<Process> started) {
        try {
            Runtime.getRuntime().halt(statusOf(started.join()));
        } catch (CancellationException notStarted) {
            // This JVM is ending for another reason.
        }
    }

    private static int statusOf(Process process) {
        return process.onExit().join().exitValue();
    }

    /** Returns the address at which a client on this machine reaches the endpoint of that URI. */
    static ListenAddress reachable(String uri) {
        // URI.getHost() is null for some valid names of machines.
        ListenAddress listens = ListenAddress.parse(URI.create(uri).getRawAuthority());
        return switch (listens.host()) {
            case "0.0.0.0" -> new ListenAddress("127.0.0.1", listens.port());
            case "::" -> new ListenAddress("::1", listens.port());
            default -> listens;
        };
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
