package io.multimed.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The multimed command as a process of its own, as a user runs it. */
final class Command implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final List<String> err = new ArrayList<>();
    private final Thread outReader;
    private final Thread errReader;

    private Command(Process process) {
        this.process = process;
        outReader = reader(process.getInputStream(), out::add);
        errReader = reader(process.getErrorStream(), line -> {
            synchronized (err) {
                err.add(line);
            }
        });
    }

    static Command start(String... arguments) throws IOException {
        return startWith(Map.of(), arguments);
    }

    /**
     * @param environment variables that differ there
     */
    static Command startWith(Map<String, String> environment, String... arguments) throws IOException {
        return start(List.of(), environment, arguments);
    }

    /** Starts the command from a shell whose new files no other user may read. */
    static Command startWithClosedUmask(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "umask 077; exec \"$@\"", "sh"), Map.of(), arguments);
    }

    /** Starts the command with standard output on a full disk. */
    static Command startWithFullOutput(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "exec \"$@\" > /dev/full", "sh"), Map.of(), arguments);
    }

    /**
     * Starts the command as the child of a process that never asks for its children's status; {@link #pid} is that process's.
     */
    static Command startWithNegligentParent(String... arguments) throws IOException {
        return start(List.of("sh", "-c", "\"$@\" & exec sleep 600", "sh"), Map.of(), arguments);
    }

    /**
     * Starts the command in a terminal of its own, whose keys are {@link #type}d; the terminal's output counts as standard
     * output.
     */
    static Command startInTerminal(String... arguments) throws IOException {
        // A shell that stayed between the terminal and the command would end by the terminal's Ctrl-C, too, and return
        // its own status.
        String line = line(List.of(), arguments).stream()
                .map(argument -> "'" + argument + "'")
                .collect(Collectors.joining(" ", "exec ", ""));
        return new Command(new ProcessBuilder("script", "-qfec", line, "/dev/null").start());
    }

    private static Command start(List<String> before, Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line(before, arguments));
        builder.environment().putAll(environment);
        return new Command(builder.start());
    }

    private static List<String> line(List<String> before, String... arguments) {
        List<String> line = new ArrayList<>(before);
        line.addAll(List.of(
                // Tests that run in the background of a script ignore SIGINT, and this process would inherit that.
                "env",
                "--default-signal=INT,HUP",
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "io.multimed.cli.Main"));
        line.addAll(List.of(arguments));
        return line;
    }

    /** Runs to the end; the exit status must be {@code status}. Returns its standard output. */
    static String run(int status, String... arguments) throws Exception {
        try (Command command = start(arguments)) {
            int actual = command.awaitExit();
            String printed = command.printed();
            if (actual != status) {
                throw new AssertionError("exit status " + actual + ", printed: " + printed + command.errors());
            }
            return printed;
        }
    }

    private static Thread reader(InputStream in, java.util.function.Consumer<String> lines) {
        return Thread.ofPlatform().daemon().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines);
            } catch (IOException | java.io.UncheckedIOException e) {
                lines.accept("(" + e + ")");
            }
        });
    }

    /** Returns the next line on standard output. */
    String awaitLine() throws InterruptedException {
        String line = out.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no line on standard output; on standard error: " + errors());
        }
        return line;
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end; on standard error: " + errors());
        }
        outReader.join();
        errReader.join();
        return process.exitValue();
    }

    /** Returns the rest of standard output. */
    String printed() {
        List<String> lines = new ArrayList<>();
        out.drainTo(lines);
        return String.join("\n", lines);
    }

    /** Returns standard error so far. */
    String errors() {
        synchronized (err) {
            return String.join("\n", err);
        }
    }

    /** Reads lines on standard output up to one that contains this. */
    void awaitLineWith(String part) throws InterruptedException {
        while (!awaitLine().contains(part)) {
            // The loop reads the next line.
        }
    }

    /** Writes to standard input. */
    void type(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    long pid() {
        return process.pid();
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGINT, as from Ctrl-C, to this process alone. */
    void interrupt() throws IOException, InterruptedException {
        signal("INT");
    }

    /** Sends a signal to this process alone. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** Sends SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
