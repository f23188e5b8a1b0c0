package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.Leash;
import io.multimed.model.topology.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program that ends with this JVM, however that ends. Ctrl-C in a terminal does not reach it: it is ended in order, once the
 * measurements are written.
 */
final class Leashed implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LINES_OF_LOG = 5;

    private final String name;
    private final Process process;
    private final Leash leash;
    private final Path errors;

    private Leashed(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.leash = Leash.of(process);
        this.errors = errors;
    }

    /**
     * Starts the program.
     *
     * @param cores that it and its children may use; empty: all
     * @param errors file for its standard error; its standard output is its process's
     */
    static Leashed start(String name, EngineUser user, List<Integer> cores, List<String> command, Path errors)
            throws BenchException {
        List<String> whole =
                new ArrayList<>(Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("setsid") : List.of());
        if (!cores.isEmpty()) {
            whole.addAll(List.of("taskset", "-c", CpuSet.of(cores).toString()));
        }
        whole.addAll(command);
        try {
            ProcessBuilder builder = EngineTool.builder(user, Leash.wrap(whole, "TERM", name));
            builder.redirectError(errors.toFile());
            return new Leashed(name, builder.start(), errors);
        } catch (IOException | EngineException e) {
            throw new BenchException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    Process process() {
        return process;
    }

    long pid() {
        return process.pid();
    }

    /** Returns the last lines of its standard error. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
            return lines.stream()
                    .skip(Math.max(0, lines.size() - LINES_OF_LOG))
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.joining(" / "));
        } catch (IOException e) {
            return "it said nothing that could be read";
        }
    }

    /** Asks it to end and waits; kills it after a minute. */
    @Override
    public void close() throws BenchException {
        boolean interrupted = Thread.interrupted();
        try {
            process.destroy();
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                List<ProcessHandle> descendants = process.descendants().toList();
                process.destroyForcibly().waitFor();
                descendants.forEach(ProcessHandle::destroyForcibly);
                throw new BenchException(name + " did not end within " + PATIENCE.toSeconds() + " s: " + lastWords());
            }
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        } finally {
            leash.release();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
