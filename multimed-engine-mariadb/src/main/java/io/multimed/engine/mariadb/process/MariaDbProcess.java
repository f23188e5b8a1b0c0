package io.multimed.engine.mariadb.process;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.LaunchCommand;
import io.multimed.engine.process.LeashedProcess;
import io.multimed.engine.process.Native;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A running engine. Thread-safe. */
public final class MariaDbProcess {
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** Longest time without any answer for one look at an engine that starts. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(2);

    private final LeashedProcess process;
    private final EngineFiles files;
    private final EngineAccount account;

    private MariaDbProcess(LeashedProcess process, EngineFiles files, EngineAccount account) {
        this.process = process;
        this.files = files;
        this.account = account;
    }

    /**
     * The command that runs one engine.
     *
     * @param name of the engine, for readers of a process list
     * @param settings of the engine, by name, for its settings file
     * @param mayWrite the only directories in which the engine may write, besides its log; empty: wherever its user may
     */
    public record Command(
            MariaDbBinaries binaries,
            String name,
            EngineFiles files,
            Path dataDirectory,
            Map<String, String> settings,
            EngineAccount account,
            Path logFile,
            CoreBinding binding,
            List<Path> mayWrite) {}

    /**
     * Starts an engine; does not wait until it accepts connections.
     *
     * @param onExit called once, from a thread of its own, when the process has ended for whatever reason
     */
    public static MariaDbProcess start(Command command, Runnable onExit) throws EngineException, InterruptedException {
        EngineFiles files = command.files();
        files.make();
        Map<String, String> settings = new LinkedHashMap<>(command.settings());
        settings.put("datadir", command.dataDirectory().toString());
        settings.put("socket", files.socket().toString());
        settings.put("pid_file", files.directory().resolve("engine.pid").toString());
        settings.put("lc_messages_dir", command.binaries().share().toString());
        settings.put(
                "character_sets_dir",
                command.binaries().share().resolve("charsets").toString());
        settings.put("init_file", files.statements().toString());
        if ("1".equals(settings.get("ssl")) && !settings.containsKey("ssl_cert")) {
            files.writeCertificate(settings);
        }
        files.writeSettings(settings);
        files.writeStatements(accountStatements(command.account()));
        LaunchCommand launch = new LaunchCommand(
                List.of(command.binaries().server().toString(), settingsOption(files)),
                command.name(),
                command.logFile(),
                List.of("[ERROR]"),
                files.user(),
                command.binding(),
                command.mayWrite(),
                "TERM");
        return new MariaDbProcess(LeashedProcess.start(launch, onExit), files, command.account());
    }

    static String settingsOption(EngineFiles files) {
        return "--defaults-file=" + files.settings();
    }

    /** Returns the statements that give Multimed its account, without a trace in the binary log. */
    private static String accountStatements(EngineAccount account) {
        String name = "'" + account.user() + "'@'localhost'";
        return "SET SESSION sql_log_bin = 0;\n"
                + "CREATE OR REPLACE USER " + name + " IDENTIFIED VIA mysql_native_password USING PASSWORD('"
                + account.password() + "');\n"
                + "GRANT ALL PRIVILEGES ON *.* TO " + name + " WITH GRANT OPTION;\n";
    }

    /**
     * Blocks until the engine accepts connections, then deletes the statements with Multimed's password.
     *
     * @throws EngineException if it ended instead, or {@code patience} has passed; then it is left as it is
     */
    public void awaitReady(Duration patience) throws EngineException, InterruptedException {
        long begun = System.nanoTime();
        String refusal = "";
        while (true) {
            try (EngineConnection connection = EngineConnection.open(files.socket(), account, FIRST_ANSWER)) {
                connection.execute("DO 1");
                files.deleteStatements();
                return;
            } catch (IOException e) {
                refusal = String.valueOf(e.getMessage());
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (process.awaitEnd(LOOK)) {
                throw new EngineException("MariaDB did not start: " + process.reason() + ".");
            }
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new EngineException("MariaDB was not ready after " + patience.toSeconds() + " s: " + refusal
                        + "; " + process.reason() + ".");
            }
        }
    }

    /** Connects as Multimed itself. */
    public EngineConnection connect() throws IOException {
        return EngineConnection.open(files.socket(), account, ANSWER);
    }

    /** Returns the process ID. */
    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.alive();
    }

    /** Whether the process has been stopped (SIGSTOP). */
    public boolean frozen() {
        return process.frozen();
    }

    /** Returns why the engine ended, in its own words. */
    public String reason() {
        return process.reason();
    }

    /**
     * Asks the engine to end and waits. A frozen engine is thawed first.
     *
     * @return whether it has ended within {@code patience}
     */
    public boolean stop(Duration patience) throws InterruptedException {
        process.signal(Native.SIGTERM);
        process.signal(Native.SIGCONT);
        return process.awaitEnd(patience);
    }

    /** Ends the process at once, a frozen one too; it is gone when this returns. */
    public void kill() {
        process.kill();
        process.awaitDeath();
    }
}
