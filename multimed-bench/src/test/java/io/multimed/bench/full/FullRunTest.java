package io.multimed.bench.full;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.series.Ending;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

    /** Of ten runs in a repetition. */
    private Experiment experiment(String name, boolean headline, Ending ending) {
        return new Experiment(name, headline, 10, 20, 5, pace -> {
            begun.add(name);
            return ending;
        });
    }

    private List<Experiment> two() {
        return List.of(experiment("first", true, Ending.DONE), experiment("second", false, Ending.DONE));
    }

    @Test
    void moreTimeIsMoreRepetitionsAndThenLongerRuns() {
        // Of the least pace a headline's run takes 45 + 15 + 5 s, another one 17 + 15 + 5.
        assertEquals(670, two().getFirst().seconds(Pace.ALL.getFirst()));
        assertEquals(390, two().getLast().seconds(Pace.ALL.getFirst()));
        assertEquals(
                Pace.ALL.getFirst(), Plan.of(two(), Duration.ofSeconds(1_060)).pace());
        assertEquals(3, Plan.of(two(), Duration.ofSeconds(2_360)).pace().headline());
        assertEquals(Pace.ALL.getLast(), Plan.of(two(), Duration.ofDays(1)).pace());
    }

    @Test
    void whatDoesNotFitIsLeftOutLastFirst() {
        Plan plan = Plan.of(two(), Duration.ofSeconds(1_059));
        assertEquals("first", plan.experiments().getFirst().command());
        assertEquals("second", plan.left().getFirst().command());
        assertTrue(
                plan.text()
                        .contains(
                                "left out for want of time, 7 min: ./multimed second --runs 1 --warmup 10-25 --time 15\n"),
                plan.text());
    }

    @Test
    void whatFitsBehindWhatDoesNotIsRunUnlessThatIsTheFirst() {
        Experiment large = new Experiment("large", false, 100, 0, 0, pace -> Ending.DONE);
        List<Experiment> all = List.of(two().getFirst(), large, two().getLast());
        assertEquals(
                List.of("first", "second"),
                commands(Plan.of(all, Duration.ofSeconds(1_060)).experiments()));
        assertEquals(
                List.of(),
                Plan.of(all.reversed().subList(1, 3), Duration.ofSeconds(1_060)).experiments());
    }

    private static List<String> commands(List<Experiment> experiments) {
        return experiments.stream().map(Experiment::command).toList();
    }

    @Test
    void aPlannedLineIsACommandOfTheSamePace() {
        Pace pace = Pace.ALL.get(1);
        assertEquals(
                "./multimed first --runs 2 --warmup 45 --time 15",
                two().getFirst().line(pace));
        assertEquals(
                "./multimed second --runs 1 --warmup 10-25 --time 15",
                two().getLast().line(pace));
    }

    @Test
    void experimentsRunInTheirOrderAndThePlanStandsBesideTheResults(@TempDir Path out) throws Exception {
        assertEquals(Ending.DONE, new FullRun(two(), Duration.ofMinutes(18), out, out, SILENT).run());
        assertEquals(List.of("first", "second"), begun);
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(plan.startsWith("Planned for 18 min: 1 x the headline's runs"), plan);
        assertFalse(plan.contains("left out"), plan);
    }

    @Test
    void anInterruptEndsItAndTheNextIsNotBegun(@TempDir Path out) throws Exception {
        List<Experiment> all =
                List.of(experiment("first", true, Ending.INTERRUPTED), experiment("second", false, Ending.DONE));
        assertEquals(Ending.INTERRUPTED, new FullRun(all, Duration.ofHours(1), out, out, SILENT).run());
        assertEquals(List.of("first"), begun);
        assertTrue(Files.readString(out.resolve(FullRun.PLAN)).contains("interrupted; the same command goes on"));
    }

    @Test
    void whatCannotBeRunHereIsNamedAndTheNextIsRun(@TempDir Path out) throws Exception {
        Experiment broken = new Experiment("broken", true, 1, 1, 1, pace -> {
            throw new BenchException("no such disk");
        });
        List<Experiment> all = List.of(broken, experiment("second", false, Ending.DONE));
        assertEquals(Ending.VOID, new FullRun(all, Duration.ofHours(1), out, out, SILENT).run());
        assertEquals(List.of("second"), begun);
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(plan.contains("left out because it could not be run: no such disk: ./multimed broken"), plan);
        assertFalse(plan.matches("(?s).*took[^\\n]*broken.*"), plan);
    }

    @Test
    void whatCannotWorkIsRefusedInASentenceBeforeAnythingIsRun(@TempDir Path out) throws Exception {
        Path file = Files.writeString(out.resolve("file"), "");
        assertRefused(
                "--within: 1 minutes are too few for the first experiment, which takes about 12",
                new FullRun(two(), Duration.ofMinutes(1), out, out, SILENT));
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
