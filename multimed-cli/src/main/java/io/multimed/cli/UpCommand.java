package io.multimed.cli;

import io.multimed.cli.log.LogFile;
import io.multimed.engine.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.StartException;
import io.multimed.server.StartOptions;
import io.multimed.server.config.ConfigurationException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code multimed up}: runs an instance in the foreground. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Start the Master and its Satellites and serve, in the foreground.",
            "Prints one line 'ready postgresql://HOST:PORT/postgres satellites=N' on standard output once the Master"
                    + " serves and every planned Satellite either serves or has failed; the Master's data is served"
                    + " before that. SIGTERM and SIGINT let transactions end, then the engines; exit status 0."
        })
final class UpCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(50);

    @Mixin
    private final DirectoryOption directory = new DirectoryOption();

    @Mixin
    private final PlanOptions options = new PlanOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where clients connect (default: 127.0.0.1:7432).")
    @Nullable
    private String listen;

    @Option(
            names = "--engine-bin",
            paramLabel = "DIR",
            description = "Programs of an installed PostgreSQL 15 to 18 (default: the embedded PostgreSQL 18).")
    @Nullable
    private Path engineBin;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws ConfigurationException, StartException, EngineException, InterruptedException {
        ProgressLines progress = new ProgressLines(System.err);
        Shutdown shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(shutdown.hook());
        StartOptions start = new StartOptions(
                directory.path(),
                Optional.ofNullable(options.config),
                options.overrides(listen, engineBin),
                progress,
                LogFile::open);
        try (Multimed multimed = Multimed.start(start)) {
            shutdown.started(multimed);
            progress.step("serving the master's data on " + multimed.uri());
            while (!multimed.settled() && !multimed.awaitDownRequest(LOOK)) {}
            progress.end();
            PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
            out.println("ready " + multimed.uri() + " satellites=" + multimed.satellitesServing());
            out.flush();
            while (!multimed.awaitDownRequest(Duration.ofHours(1))) {}
            progress.step("ending: waiting for transactions, then the engines");
        } finally {
            shutdown.done();
        }
        return 0;
    }
}
