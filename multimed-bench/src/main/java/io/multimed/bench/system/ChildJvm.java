package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM of its own for engines that run inside an application, with their clients. So earlier runs leave it neither used memory
 * nor compiled code. It ends with this JVM.
 */
public final class ChildJvm implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;

    private final Leashed process;

    private ChildJvm(Leashed process) {
        this.process = process;
    }

    /**
     * Starts the JVM.
     *
     * @param cores that it may use; empty: all
     * @param main class, and its arguments
     * @param files a directory that it may write to
     */
    public static ChildJvm start(String name, List<Integer> cores, long heapBytes, List<String> main, Path files)
            throws BenchException {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heapBytes,
                "-Xmx" + heapBytes,
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(main);
        return new ChildJvm(Leashed.start(name, Launcher.user(), cores, command, files.resolve("child.err")));
    }

    /** Passes on its output, line by line, until it has ended. */
    public void await(Consumer<String> line) throws BenchException, InterruptedException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
        try {
            boolean ended = false;
            while (!ended) {
                ended = process.process().waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                // Reading would block in spite of an interrupt.
                while (reader.ready()) {
                    line.accept(reader.readLine());
                }
            }
        } catch (IOException e) {
            throw new BenchException("the JVM of the engines says nothing more: " + process.lastWords(), e);
        }
    }

    /** Returns the last lines of its standard error. */
    public String lastWords() {
        return process.lastWords();
    }

    /** Asks the JVM to end, if it has not, and waits. An interrupt is kept for later. */
    @Override
    public void close() throws BenchException {
        process.close();
    }
}
