package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.cli.log.LogFile;
import io.multimed.cli.log.QueuedOutput;
import io.multimed.core.spi.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.StartOptions;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Reloaded;
import io.multimed.server.os.ServiceManager;
import io.multimed.server.startup.StartException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code multimed up}: runs an instance in the foreground. */
final class UpCommand {
    private static final Duration LOOK = Duration.ofMillis(50);
    /** Time for standard error to show its last messages when everything has ended. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private static final String POSTGRESQL = "postgresql";

    private static final Option CONFIG =
            Arguments.value("config", "FILE", "Configuration (default: DIR/multimed.toml, if there).");
    private static final Option LISTEN = Arguments.value(
            "listen",
            "HOST:PORT",
            "Where clients connect (default: "
                    + Configuration.STANDARD.endpoint().listen() + ").");
    private static final Option ENGINE_BIN = Arguments.value(
            "engine-bin", "DIR", "Programs of an installed PostgreSQL 15 to 18 (default: the embedded PostgreSQL 18).");

    private static final Option ENGINE = Arguments.value(
            "engine",
            "NAME",
            "postgresql, or mariadb in a source checkout: multimed up --engine mariadb --help (default: postgresql).");

    static final Subcommand COMMAND = new Subcommand(
            "up",
            "Start the Master and its Satellites and serve, in the foreground."
                    + "\nPrints one line 'ready postgresql://HOST:PORT/postgres satellites=N' on standard output once the Master"
                    + " serves and every planned Satellite either serves or has failed; the Master's data is served"
                    + " before that. SIGTERM and SIGINT let transactions end, then the engines; exit status 0. SIGHUP lets"
                    + " it read its configuration again.",
            Stream.of(List.of(DirectoryOption.DIR, CONFIG), PlanOptions.ALL, List.of(LISTEN, ENGINE_BIN, ENGINE))
                    .flatMap(List::stream)
                    .toList(),
            UpCommand::run);

    private UpCommand() {}

    private static int run(Arguments given)
            throws ParseException, ConfigurationException, StartException, EngineException, InterruptedException {
        requirePostgresql(given.text(ENGINE).orElse(POSTGRESQL));
        PrintStream direct = System.err;
        QueuedOutput queued = QueuedOutput.to(direct);
        System.setErr(new PrintStream(queued, true, direct.charset()));
        ProgressLines progress = new ProgressLines(System.err);
        StartOptions start = new StartOptions(
                DirectoryOption.path(given),
                given.path(CONFIG),
                PlanOptions.overrides(given, given.text(LISTEN), given.path(ENGINE_BIN)),
                progress,
                LogFile::open);
        ServiceManager service = ServiceManager.of(System.getenv());
        Shutdown shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(shutdown.hook());
        AtomicReference<@Nullable Multimed> running = new AtomicReference<>();
        ProgramSignals.handle("HUP", () -> reload(running.get(), progress));
        try (Multimed multimed = Multimed.start(start)) {
            shutdown.started(multimed);
            running.set(multimed);
            progress.step("serving the master's data on " + multimed.uri());
            service.ready("serving the master's data on " + multimed.uri());
            boolean ending = false;
            while (!ending && !multimed.settled()) {
                ending = multimed.awaitDownRequest(LOOK);
            }
            progress.end();
            if (!ending) {
                String ready = multimed.uri() + " satellites=" + multimed.satellitesServing();
                System.out.println("ready " + ready);
                service.status("serving " + ready);
            }
            while (!ending) {
                ending = multimed.awaitDownRequest(Duration.ofHours(1));
            }
            service.ending();
            progress.step(
                    "ending: waiting for transactions, then for the engines, the master's last checkpoint included");
        } finally {
            System.setErr(direct);
            try {
                queued.drain(LAST_WORDS);
            } finally {
                shutdown.done();
            }
        }
        return 0;
    }

    /** The script of a source checkout gives MariaDB to a program of its own, which no distribution contains. */
    private static void requirePostgresql(String engine) throws ParseException {
        if (!engine.equals(POSTGRESQL)) {
            throw new ParseException(
                    engine.equals("mariadb")
                            ? "--engine: MariaDB is started by the script ./multimed of a source checkout only"
                            : "--engine: there is no engine \"" + engine + "\"; allowed are postgresql, mariadb");
        }
    }

    /** @param multimed null while it starts, which has read the configuration just now */
    private static void reload(@Nullable Multimed multimed, ProgressLines progress) {
        if (multimed == null) {
            return;
        }
        try {
            Reloaded result = multimed.reload();
            result.problems().forEach(problem -> progress.step("not reloaded: " + problem));
            result.lines().forEach(line -> progress.step("reloaded: " + line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
