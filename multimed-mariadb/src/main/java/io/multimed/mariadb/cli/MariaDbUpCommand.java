package io.multimed.mariadb.cli;

import io.multimed.cli.ProgramSignals;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.cli.log.LogFile;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileProblem;
import io.multimed.engine.files.ProgramCache;
import io.multimed.engine.mariadb.binaries.EmbeddedMariaDb;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.mariadb.MariaDbInstance;
import io.multimed.mariadb.MariaDbOptions;
import io.multimed.mariadb.cli.config.MariaDbConfiguration;
import io.multimed.mariadb.cli.config.MariaDbConfigurationReader;
import io.multimed.mariadb.cli.config.MariaDbReloading;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.config.Reloaded;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.control.ControlServer;
import io.multimed.server.home.Home;
import io.multimed.server.home.HomeLock;
import io.multimed.server.lean.LeanAnswer;
import io.multimed.server.metrics.MetricsServer;
import io.multimed.server.os.LinuxTopologyReader;
import io.multimed.server.report.InstanceReport;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code multimed up --engine mariadb}: runs an instance in the foreground. */
final class MariaDbUpCommand {
    private static final MariaDbConfiguration STANDARD = MariaDbConfiguration.STANDARD;
    private static final long LOOK_MILLIS = 50;
    private static final long ENDING_SECONDS = 120;

    private static final Option ENGINE = Arguments.value("engine", "NAME", "mariadb.");
    private static final Option DIR = Arguments.value(
            "dir",
            "DIR",
            "Directory of the instance (default: ~/.local/share/multimed-mariadb, or /var/lib/multimed-mariadb as root).");
    private static final Option CONFIG =
            Arguments.value("config", "FILE", "Configuration (default: DIR/multimed.toml, if there).");
    private static final Option SATELLITES =
            Arguments.value("satellites", "N", "How many Satellites (default: by cores and memory).");
    private static final Option LISTEN = Arguments.value(
            "listen",
            "HOST:PORT",
            "Where clients connect (default: " + STANDARD.endpoint().listen() + ").");
    private static final Option METRICS = Arguments.value(
            "metrics",
            "HOST:PORT",
            "Where Prometheus finds metrics, or off (default: "
                    + STANDARD.metrics().orElseThrow() + ").");
    private static final Option ENGINE_BIN = Arguments.value(
            "engine-bin",
            "DIR",
            "Programs of an installed MariaDB from 10.11 on (default: the embedded MariaDB 11.4).");

    static final Subcommand COMMAND = new Subcommand(
            "up",
            "Start a MariaDB Master and its Satellites and serve, in the foreground."
                    + "\nPrints one line 'ready mysql://HOST:PORT/ satellites=N' on standard output once the Master serves and every"
                    + " Satellite either serves or has failed. SIGTERM and SIGINT end it; exit status 0."
                    + " SIGHUP lets it read its configuration again.",
            List.of(
                    ENGINE,
                    DIR,
                    CONFIG,
                    SATELLITES,
                    LISTEN,
                    TlsOptions.CERTIFICATE,
                    TlsOptions.KEY,
                    TlsOptions.CLIENT_CA,
                    TlsOptions.REQUIRED,
                    METRICS,
                    ENGINE_BIN),
            MariaDbUpCommand::run);

    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private MariaDbUpCommand() {}

    private static int run(Arguments given)
            throws ParseException, ConfigurationException, StartException, EngineException, InterruptedException {
        String engine = given.text(ENGINE).orElse("mariadb");
        if (!engine.equals("mariadb")) {
            throw new ParseException(
                    "--engine: there is no engine \"" + engine + "\"; allowed are postgresql, mariadb");
        }
        new MariaDbUpCommand().serve(given);
        return 0;
    }

    private void serve(Arguments given)
            throws ParseException, ConfigurationException, StartException, EngineException, InterruptedException {
        Home home = Home.of(given.path(DIR).orElseGet(MariaDbUpCommand::standardDirectory));
        ReloadedTls tls = TlsOptions.of(given);
        MariaDbReloading.Source source = source(given, tls != null, home);
        MariaDbConfiguration configuration = source.read();
        SystemModel model = model(configuration);
        home.check();
        EngineUser user = EngineUser.choose("mysql");
        user.requireReach("the directory", home.directory());
        Thread hook = new Thread(this::endBySignal, "multimed-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        ListenAddress listen = configuration.endpoint().listen();
        try (HomeLock _ = take(home, user)) {
            requireFree(listen);
            LogFile.open(home.log());
            model.notes().forEach(MariaDbUpCommand::say);
            if (user.switched()) {
                say("running as root: the engines run as the user '" + user.name() + "'");
            }
            Path memory = home.memoryRoot(configuration.memory());
            user.privateDirectory(memory);
            MariaDbOptions options = new MariaDbOptions(
                    binaries(configuration),
                    user,
                    home.directory(),
                    home.logs(),
                    memory,
                    new MariaDbOptions.Front(
                            listen.resolve(),
                            standard -> configuration.applyTo(standard).with(tls == null ? null : tls.forClients()),
                            MariaDbStatus::table),
                    model);
            say("starting MariaDB on " + home.data());
            try (MariaDbInstance instance = MariaDbInstance.start(options)) {
                MariaDbReloading reloading = new MariaDbReloading(
                        configuration,
                        source,
                        () -> ReloadedTls.reload(tls),
                        changed -> instance.reconfigure(changed::applyTo));
                ProgramSignals.handle("HUP", () -> reload(reloading));
                serve(instance, uri(instance, listen), configuration.metrics(), home, reloading);
            }
            user.deleteTree(memory);
        } catch (IOException e) {
            throw new StartException("cannot run in " + home.directory() + ": " + FileProblem.of(e), e);
        } finally {
            ended.countDown();
        }
    }

    private static MariaDbReloading.Source source(Arguments given, boolean hasTls, Home home) throws ParseException {
        MariaDbConfigurationReader.Options options = new MariaDbConfigurationReader.Options(
                given.text(LISTEN), hasTls, given.number(SATELLITES), given.path(ENGINE_BIN), given.text(METRICS));
        Optional<Path> named = given.path(CONFIG);
        return () -> MariaDbConfigurationReader.read(
                // A dangling link is a mistake, and no reason to run with the defaults.
                named.or(() -> Optional.of(home.configuration())
                        .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))),
                options);
    }

    private static void reload(MariaDbReloading reloading) {
        Reloaded result = reloading.reload();
        result.problems().forEach(problem -> say("not reloaded: " + problem));
        result.lines().forEach(line -> say("reloaded: " + line));
    }

    private void serve(
            MariaDbInstance instance,
            String uri,
            Optional<ListenAddress> metrics,
            Home home,
            MariaDbReloading reloading)
            throws IOException, InterruptedException {
        MariaDbStatus status = new MariaDbStatus(instance, uri, () -> ending.getCount() == 0);
        try (ControlServer _ = ControlServer.start(
                        home.controlSocket(), (request, argument) -> answer(request, status, reloading));
                MetricsServer _ = metrics.isPresent() ? watched(metrics.get(), status) : null) {
            announce(instance, uri, home);
            ending.await();
            say("ending: the engines stop");
        }
    }

    /** Nothing depends on metrics, so their failure is told of and ends nothing. */
    private static @Nullable MetricsServer watched(ListenAddress listen, MariaDbStatus status) {
        try {
            MetricsServer server = MetricsServer.start(listen, status.metrics(), MetricsServer.Extent.METRICS);
            say("metrics are at http://" + listen.withPort(server.port()) + "/metrics");
            return server;
        } catch (IOException e) {
            say("there are no metrics: " + listen + " cannot be listened on: " + e.getMessage()
                    + "; choose another address with metrics.listen or --metrics");
            return null;
        }
    }

    private static void say(String what) {
        System.err.println("multimed: " + what);
    }

    private static Path standardDirectory() {
        Path standard = Home.defaultDirectory(System.getenv());
        return standard.resolveSibling(standard.getFileName() + "-mariadb");
    }

    private static void requireFree(ListenAddress listen) throws StartException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(listen.resolve());
        } catch (IOException e) {
            throw new StartException(
                    "cannot listen on " + listen + ": " + e.getMessage()
                            + "; choose another address with endpoint.listen or --listen",
                    e);
        }
    }

    private static SystemModel model(MariaDbConfiguration configuration) throws ConfigurationException {
        try {
            return Planner.plan(new LinuxTopologyReader(Path.of("/")).read(), configuration.plan());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    private static MariaDbBinaries binaries(MariaDbConfiguration configuration)
            throws EngineException, InterruptedException {
        Optional<Path> bin = configuration.engineBin();
        return bin.isPresent()
                ? MariaDbBinaries.installed(bin.get())
                : EmbeddedMariaDb.unpack(ProgramCache.standard(), (done, total) -> {
                    if (done == total) {
                        say("unpacked MariaDB");
                    }
                });
    }

    /** Makes the directories of the instance and takes its lock. */
    private static HomeLock take(Home home, EngineUser user) throws StartException {
        try {
            user.makeWay(home.directory());
            HomeLock lock = HomeLock.take(home.lockFile());
            directory(home.logs(), "rwx------");
            // The engines' user passes through it to their sockets.
            directory(home.run(), "rwx--x--x");
            return lock;
        } catch (IOException e) {
            throw new StartException("cannot write to " + home.directory() + ": " + FileProblem.of(e), e);
        }
    }

    private static void directory(Path directory, String mode) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectory(directory);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
    }

    private void announce(MariaDbInstance instance, String uri, Home home) throws InterruptedException {
        say("serving the master's data on " + uri);
        while (!instance.settled() && !ending.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            // The Satellites are being made.
        }
        if (ending.getCount() > 0) {
            say("status and end: multimed status --dir " + home.directory() + ", multimed down --dir "
                    + home.directory());
            System.out.println("ready " + uri + " satellites=" + instance.satellitesServing());
        }
    }

    private static String uri(MariaDbInstance instance, ListenAddress listen) {
        return "mysql://" + listen.withPort(instance.address().getPort()) + "/";
    }

    /** Answers a request on the control socket; one of its threads. */
    private String answer(ControlRequest request, MariaDbStatus status, MariaDbReloading reloading) {
        return switch (request) {
            case STATUS -> StatusJson.write(status.now());
            case DOWN -> {
                ending.countDown();
                yield Long.toString(ProcessHandle.current().pid());
            }
            case RELOAD -> reloading.reload().written();
            case REPORT -> InstanceReport.of(status.now(), status.metrics().text());
            case LEAN, LEAN_APPLY, LEAN_UNDO ->
                new LeanAnswer(List.of(), List.of(), "there are no partial satellites with MariaDB yet").written();
        };
    }

    /** Ends the instance, then the JVM with the exit status of an orderly end. The JVM's shutdown hook. */
    private void endBySignal() {
        if (ended.getCount() == 0) {
            return;
        }
        ending.countDown();
        try {
            if (!ended.await(ENDING_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            return;
        }
        Runtime.getRuntime().halt(0);
    }
}
