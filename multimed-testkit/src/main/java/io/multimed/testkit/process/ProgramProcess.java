package io.multimed.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process that {@link JavaProgram} started, with what it prints. */
public final class ProgramProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final List<String> err = new ArrayList<>();
    private volatile String unfinishedLine = "";
    private final Thread outReader;
    private final Thread errReader;

    ProgramProcess(Process process) {
        this.process = process;
        outReader = reader(process.getInputStream(), out::add, part -> unfinishedLine = part);
        errReader = reader(
                process.getErrorStream(),
                line -> {
                    synchronized (err) {
                        err.add(line);
                    }
                },
                part -> {});
    }

    private static Thread reader(InputStream in, Consumer<String> lines, Consumer<String> unfinished) {
        return Thread.ofPlatform().daemon().start(() -> {
            StringBuilder line = new StringBuilder();
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (int next = reader.read(); next >= 0; next = reader.read()) {
                    if (next == '\n') {
                        lines.accept(line.toString());
                        line.setLength(0);
                    } else if (next != '\r') {
                        line.append((char) next);
                    }
                    if (!reader.ready()) {
                        unfinished.accept(line.toString());
                    }
                }
            } catch (IOException e) {
                lines.accept("(" + e + ")");
            }
            if (!line.isEmpty()) {
                lines.accept(line.toString());
            }
        });
    }

    /** Returns the next line on standard output. */
    public String awaitLine() throws InterruptedException {
        String line = out.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no line on standard output; on standard error: " + errors());
        }
        return line;
    }

    /** Returns the exit status, once the process has ended. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end; on standard error: " + errors());
        }
        outReader.join();
        errReader.join();
        return process.exitValue();
    }

    /** Returns the rest of standard output. */
    public String printed() {
        List<String> lines = new ArrayList<>();
        out.drainTo(lines);
        return String.join("\n", lines);
    }

    /** Returns standard error so far. */
    public String errors() {
        synchronized (err) {
            return String.join("\n", err);
        }
    }

    /** Reads lines on standard output up to one that contains this. */
    public void awaitLineWith(String part) throws InterruptedException {
        while (!awaitLine().contains(part)) {
            // The loop reads the next line.
        }
    }

    /** Returns the line at the end of standard output that has no end yet, as a prompt has none. */
    public String unfinishedLine() {
        return unfinishedLine;
    }

    /** Writes to standard input. */
    public void type(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Returns the id of the process. */
    public long pid() {
        return process.pid();
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGINT, as from Ctrl-C, to this process alone. */
    public void interrupt() throws IOException, InterruptedException {
        signal("INT");
    }

    /** Sends a signal to this process alone. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** Sends SIGKILL. */
    public void kill() {
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
