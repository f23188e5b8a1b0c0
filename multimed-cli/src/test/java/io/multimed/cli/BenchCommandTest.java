package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A benchmark's command as a user runs it, with directories of its own for its work and its results. */
@Tag("slow")
abstract class BenchCommandTest {
    private final String benchmark;
    private TestDirectory directory;
    Path work;
    Path out;

    /**
     * @param benchmark the word behind {@code bench}
     */
    BenchCommandTest(String benchmark) {
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

    Command start(String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("bench", benchmark, "--work", work.toString(), "--out", out.toString()));
        arguments.addAll(List.of(options));
        return Command.start(arguments.toArray(String[]::new));
    }

    /** Starts it for a few seconds. */
    Command startBriefly(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--clients", "2", "--warmup", "1", "--time", "2", "--runs", "1"));
        all.addAll(List.of(options));
        return start(all.toArray(String[]::new));
    }

    /** Starts it on TPC-W's smallest database. */
    Command startLeast(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--ebs", "1", "--items", "1000"));
        all.addAll(List.of(options));
        return startBriefly(all.toArray(String[]::new));
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
        Command.run(0, "bench", "report", "--results", out.toString());
        assertTrue(Files.readString(out.resolve("report.html")).contains("alt=\"" + chart), "no chart " + chart);
    }

    void assertRefused(int status, String told, String... options) throws Exception {
        try (Command command = start(options)) {
            assertEquals(status, command.awaitExit(), command.errors());
            assertTrue(command.errors().contains(told), command.errors());
            assertEquals(List.of(), left(work));
        }
    }

    static List<Path> left(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    List<String> results() throws IOException {
        List<String> results = new ArrayList<>();
        for (Path file : left(out)) {
            results.add(Files.readString(file));
        }
        return results;
    }
}
