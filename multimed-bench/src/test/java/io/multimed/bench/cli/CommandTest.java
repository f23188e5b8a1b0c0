package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.JavaProgram;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A benchmark's command as a user runs it, with directories of its own for its work and its results. */
@Tag("slow")
abstract class CommandTest {
    static final JavaProgram BENCH = new JavaProgram("io.multimed.bench.cli.BenchMain");

    private final String benchmark;
    private TestDirectory directory;
    Path work;
    Path out;

    /**
     * @param benchmark the word behind {@code bench}
     */
    CommandTest(String benchmark) {
        this.benchmark = benchmark;
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        directory = new TestDirectory();
        work = Files.createDirectory(directory.resolve("work"));
        out = directory.resolve("results");
    }

    @AfterEach
    void removeDirectories() throws IOException {
        directory.close();
    }

    ProgramProcess start(String... options) throws IOException {
        return BENCH.start(arguments(options).toArray(String[]::new));
    }

    private List<String> arguments(String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("bench", benchmark, "--work", work.toString(), "--out", out.toString()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    /** Starts it with two clients and runs of a second, unless options say otherwise. */
    ProgramProcess startBriefly(String... options) throws IOException {
        return start(withDefaults(
                Map.of("--clients", "2", "--warmup", "0", "--time", "1", "--runs", "1"), List.of(options)));
    }

    /** Starts it on TPC-W's smallest database. */
    ProgramProcess startLeast(String... options) throws IOException {
        return startBriefly(withDefaults(Map.of("--ebs", "1", "--items", "1000"), List.of(options)));
    }

    private static String[] withDefaults(Map<String, String> defaults, List<String> options) {
        List<String> all = new ArrayList<>(options);
        defaults.forEach((option, value) -> {
            if (!options.contains(option)) {
                all.addAll(List.of(option, value));
            }
        });
        return all.toArray(String[]::new);
    }

    /** Returns the results, all of which must be valid, and checks that no other files are left. */
    List<String> validResults(int count) throws IOException {
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(count, results.size());
        for (String result : results) {
            assertTrue(result.contains("\"valid\" : true"), result);
        }
        return results;
    }

    /** @param chart the beginning of its title */
    void assertDrawn(String chart) throws Exception {
        BENCH.run(0, "bench", "report", "--results", out.toString());
        assertTrue(Files.readString(out.resolve("report.html")).contains("aria-label=\"" + chart), "no chart " + chart);
    }

    /** Asserts that options are refused before anything is done, in this JVM. */
    void assertRefused(int status, String told, String... options) throws Exception {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
        int actual = BenchMain.PROGRAM.run(arguments(options), System.out, err);
        String message = errors.toString(StandardCharsets.UTF_8);
        assertEquals(status, actual, message);
        assertTrue(message.contains(told), message);
        assertEquals(List.of(), left(work));
    }

    static List<Path> left(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    List<String> results() throws IOException {
        List<String> results = new ArrayList<>();
        for (Path file : left(out)) {
            if (file.toString().endsWith(".json")) {
                results.add(Files.readString(file));
            }
        }
        return results;
    }

    /** Returns the processes of engines that serve clients of the benchmark. */
    static Stream<ProcessHandle> backends(ProgramProcess command) {
        return ProcessHandle.of(command.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(process -> commandLine(process.pid()).contains(" bench 127.0.0.1"));
    }

    /** Returns the servers on this test's directory. */
    Stream<ProcessHandle> engines() {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).contains(work.toString()));
    }

    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }
}
