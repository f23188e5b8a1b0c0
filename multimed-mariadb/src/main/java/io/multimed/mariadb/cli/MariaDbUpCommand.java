package io.multimed.mariadb.cli;

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
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Storage;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.ListenAddress;
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
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code multimed up --engine mariadb}: runs an instance in the foreground. */
final class MariaDbUpCommand {
    private static final ListenAddress STANDARD = new ListenAddress("127.0.0.1", 7306);
    private static final String METRICS_STANDARD = "127.0.0.1:7433";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long LOOK_MILLIS = 50;
    private static final long ENDING_SECONDS = 120;

    private static final Option ENGINE = Arguments.value("engine", "NAME", "mariadb.");
    private static final Option DIR = Arguments.value(
            "dir",
            "DIR",
            "Directory of the instance (default: ~/.local/share/multimed-mariadb, or /var/lib/multimed-mariadb as root).");
    private static final Option SATELLITES =
            Arguments.value("satellites", "N", "How many Satellites (default: by cores and memory).");
    private static final Option LISTEN =
            Arguments.value("listen", "HOST:PORT", "Where clients connect (default: " + STANDARD + ").");
    private static final Option METRICS = Arguments.value(
            "metrics", "HOST:PORT", "Where Prometheus finds metrics, or off (default: " + METRICS_STANDARD + ").");
    private static final Option ENGINE_BIN = Arguments.value(
            "engine-bin",
            "DIR",
            "Programs of an installed MariaDB from 10.11 on (default: the embedded MariaDB 11.4).");

    static final Subcommand COMMAND = new Subcommand(
            "up",
            "Start a MariaDB Master and its Satellites and serve, in the foreground."
                    + "\nPrints one line 'ready mysql://HOST:PORT/ satellites=N' on standard output once the Master serves and every"
                    + " Satellite either serves or has failed. SIGTERM and SIGINT end it; exit status 0.",
            List.of(
                    ENGINE,
                    DIR,
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
            throws ParseException, StartException, EngineException, InterruptedException {
        String engine = given.text(ENGINE).orElse("mariadb");
        if (!engine.equals("mariadb")) {
            throw new ParseException(
                    "--engine: there is no engine \"" + engine + "\"; allowed are postgresql, mariadb");
        }
        new MariaDbUpCommand().serve(given);
        return 0;
    }

    private void serve(Arguments given) throws ParseException, StartException, EngineException, InterruptedException {
        ReloadedTls tls = TlsOptions.of(given);
        ListenAddress listen = listen(given, tls != null);
        Optional<ListenAddress> metrics = metrics(given);
        SystemModel model = model(given);
        Home home = Home.of(given.path(DIR).orElseGet(MariaDbUpCommand::standardDirectory));
        home.check();
        EngineUser user = EngineUser.choose("mysql");
        user.requireReach("the directory", home.directory());
        Thread hook = new Thread(this::endBySignal, "multimed-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try (HomeLock _ = take(home, user)) {
            requireFree(listen);
            LogFile.open(home.log());
            model.notes().forEach(MariaDbUpCommand::say);
            if (user.switched()) {
                say("running as root: the engines run as the user '" + user.name() + "'");
            }
            MariaDbOptions options = new MariaDbOptions(
                    binaries(given),
                    user,
                    home.directory(),
                    home.logs(),
                    memory(home, user),
                    new MariaDbOptions.Listening(listen.resolve(), tls == null ? null : tls.forClients()),
                    model,
                    MariaDbStatus::table);
            say("starting MariaDB on " + home.data());
            try (MariaDbInstance instance = MariaDbInstance.start(options)) {
                serve(instance, uri(instance, listen), metrics, tls, home);
            }
            user.deleteTree(home.memoryRoot(MEMORY));
        } catch (IOException e) {
            throw new StartException("cannot run in " + home.directory() + ": " + FileProblem.of(e), e);
        } finally {
            ended.countDown();
        }
    }

    private void serve(
            MariaDbInstance instance, String uri, Optional<ListenAddress> metrics, @Nullable ReloadedTls tls, Home home)
            throws IOException, InterruptedException {
        MariaDbStatus status = new MariaDbStatus(instance, uri, () -> ending.getCount() == 0);
        try (ControlServer _ =
                        ControlServer.start(home.controlSocket(), (request, argument) -> answer(request, status, tls));
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
                    + "; choose another address with --metrics");
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

    private static ListenAddress listen(Arguments given, boolean hasTls) throws StartException {
        try {
            ListenAddress listen = given.text(LISTEN).map(ListenAddress::parse).orElse(STANDARD);
            if (!hasTls && !listen.resolve().getAddress().isLoopbackAddress()) {
                throw new StartException("--listen: " + listen
                        + " can be reached from other machines, which is allowed only with TLS (--tls-cert and --tls-key);"
                        + " without it use a loopback address such as 127.0.0.1");
            }
            return listen;
        } catch (IllegalArgumentException e) {
            throw new StartException("--listen: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StartException(
                    "--listen: no address is known for " + given.text(LISTEN).orElse(""), e);
        }
    }

    private static Optional<ListenAddress> metrics(Arguments given) throws StartException {
        String text = given.text(METRICS).orElse(METRICS_STANDARD);
        try {
            return text.equals("off") ? Optional.empty() : Optional.of(ListenAddress.parse(text));
        } catch (IllegalArgumentException e) {
            throw new StartException("--metrics: " + e.getMessage(), e);
        }
    }

    private static void requireFree(ListenAddress listen) throws StartException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(listen.resolve());
        } catch (IOException e) {
            throw new StartException(
                    "cannot listen on " + listen + ": " + e.getMessage() + "; choose another address with --listen", e);
        }
    }

    private static SystemModel model(Arguments given) throws ParseException, StartException {
        PlanRequest standard = PlanRequest.DEFAULT;
        try {
            return Planner.plan(
                    new LinuxTopologyReader(Path.of("/")).read(),
                    new PlanRequest(
                            given.number(SATELLITES),
                            standard.middlewareCores(),
                            standard.masterCores(),
                            Storage.MEMORY,
                            Map.of(),
                            Map.of()));
        } catch (IllegalArgumentException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static MariaDbBinaries binaries(Arguments given) throws EngineException, InterruptedException {
        return given.path(ENGINE_BIN).isPresent()
                ? MariaDbBinaries.installed(given.path(ENGINE_BIN).get())
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

    private static Path memory(Home home, EngineUser user) throws EngineException {
        Path memory = home.memoryRoot(MEMORY);
        user.privateDirectory(memory);
        return memory;
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
    private String answer(ControlRequest request, MariaDbStatus status, @Nullable ReloadedTls tls) {
        return switch (request) {
            case STATUS -> StatusJson.write(status.now());
            case DOWN -> {
                ending.countDown();
                yield Long.toString(ProcessHandle.current().pid());
            }
            case RELOAD -> ReloadedTls.reload(tls).written();
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
