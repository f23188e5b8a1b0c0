package io.multimed.bench.full;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullRunTest {
    private static final Console SILENT = new Console() {
        @Override
        public void say(String line) {}

        @Override
        public void progress(String line) {}

        @Override
        public void result(String text) {}
    };

    private final List<String> begun = new ArrayList<>();

    /** Makes an experiment of ten runs in a repetition. They take no time, though 320 s are planned for the first. */
    private Experiment experiment(String name, Rank rank, Ending ending) {
        return experiment(name, rank, () -> ending);
    }

    /** The outcome of a series. */
    private interface Running {
        Ending run() throws BenchException;
    }

    private Experiment experiment(String name, Rank rank, Running running) {
        return new Experiment(name, rank, (pace, repetitions, there) -> new Series() {
            @Override
            public void preflight() throws BenchException {
                if (name.equals("too large")) {
                    throw new BenchException("no such memory");
                }
            }

            @Override
            public List<Integer> left() {
                return Collections.nCopies(repetitions, 10);
            }

            @Override
            public Ending run() throws BenchException {
                begun.add(name + " " + repetitions);
                return running.run();
            }
        });
    }

    private List<Experiment> two() {
        return List.of(experiment("first", Rank.HEADLINE, Ending.DONE), experiment("second", Rank.FIGURE, Ending.DONE));
    }

    private static FullRun minutes(int minutes, List<Experiment> all, Path out) {
        return new FullRun(all, Duration.ofMinutes(minutes), out, out, SILENT);
    }

    @Test
    void whatDidNotFitIsRunOnceTimeIsLeft(@TempDir Path out) throws Exception {
        // 12 minutes suffice for two repetitions of the first, by the estimates; its real duration shows that there is
        // time for more.
        assertEquals(Ending.DONE, minutes(12, two(), out).run());
        assertEquals("first 2", begun.getFirst());
        assertTrue(begun.contains("second 1"), begun.toString());
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(plan.startsWith("Planned for 12 min: runs of 10 s after a warm-up of 15 s\n  20 runs,"), plan);
        assertTrue(plan.contains("then, if time is left:"), plan);
        assertTrue(plan.matches("(?s).*took 0.0 min, planned [0-9.]+: ./multimed second --runs 1 .*"), plan);
    }

    @Test
    void whatIsThereIsNotBegunAgain(@TempDir Path out) throws Exception {
        assertEquals(Ending.DONE, minutes(1_000, two(), out).run());
        // Ten repetitions at most, and each no more than once.
        assertEquals(List.of("first 5", "second 1", "first 10", "second 6"), begun);
    }

    @Test
    void anInterruptEndsItAndTheNextIsNotBegun(@TempDir Path out) throws Exception {
        List<Experiment> all = List.of(
                experiment("first", Rank.HEADLINE, Ending.INTERRUPTED), experiment("second", Rank.FIGURE, Ending.DONE));
        assertEquals(Ending.INTERRUPTED, minutes(60, all, out).run());
        assertEquals(1, begun.size());
        assertTrue(Files.readString(out.resolve(FullRun.PLAN)).contains("interrupted; the same command goes on"));
    }

    @Test
    void whatCannotBeRunHereIsNamedAndTheNextIsRun(@TempDir Path out) throws Exception {
        Experiment broken = experiment("broken", Rank.HEADLINE, () -> {
            throw new BenchException("no such disk");
        });
        List<Experiment> all = List.of(broken, experiment("second", Rank.FIGURE, Ending.DONE));
        assertEquals(Ending.VOID, minutes(1_000, all, out).run());
        assertEquals(List.of("broken 5", "second 1", "second 6"), begun);
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(
                plan.contains("left out because it cannot be run here: no such disk: ./multimed broken --runs 5"),
                plan);
        assertFalse(plan.matches("(?s).*took[^\\n]*broken.*"), plan);
    }

    @Test
    void whatThisMachineCannotCarryIsToldBeforeAnythingIsRun(@TempDir Path out) throws Exception {
        Experiment large = experiment("too large", Rank.COMPARISON, Ending.DONE);
        List<String> told = new ArrayList<>();
        Console console = new Console() {
            @Override
            public void say(String line) {
                told.add(begun.size() + " " + line);
            }

            @Override
            public void progress(String line) {}

            @Override
            public void result(String text) {}
        };
        List<Experiment> all = new ArrayList<>(two());
        all.add(large);
        new FullRun(all, Duration.ofHours(1), out, out, console).run();
        assertTrue(
                told.contains("0 left out because it cannot be run here: no such memory: ./multimed too large --runs 1"
                        + " --warmup 25 --time 10"),
                told.toString());
        begun.clear();
        assertRefused("no such memory", minutes(60, List.of(large, two().getFirst()), out));
        assertEquals(List.of(), begun);
    }

    @Test
    void whatCannotWorkIsRefusedInASentenceBeforeAnythingIsRun(@TempDir Path out) throws Exception {
        Path file = Files.writeString(out.resolve("file"), "");
        assertRefused(
                "--within: 1 minutes are too few for the first experiment, which takes about 6",
                minutes(1, two(), out));
        assertRefused(
                "--out: cannot write to " + file.resolve("results") + ": Not a directory",
                new FullRun(two(), Duration.ofHours(1), file.resolve("results"), out, SILENT));
        assertRefused(
                "--work: there is no directory " + file,
                new FullRun(two(), Duration.ofHours(1), out.resolve("results"), file, SILENT));
        assertEquals(List.of(), begun);
        assertFalse(Files.exists(out.resolve("results")));
    }

    private static void assertRefused(String sentence, FullRun run) {
        assertEquals(sentence, assertThrows(BenchException.class, run::run).getMessage());
    }
}
