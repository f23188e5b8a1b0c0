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
        // A run of the least pace takes 17 + 15 + 5 s.
        assertEquals(390, two().getFirst().seconds(Pace.ALL.getFirst()));
        assertEquals(
                Pace.ALL.getFirst(), Plan.of(two(), Duration.ofSeconds(780)).pace());
        assertEquals(3, Plan.of(two(), Duration.ofSeconds(1_600)).pace().headline());
        assertEquals(Pace.ALL.getLast(), Plan.of(two(), Duration.ofDays(1)).pace());
    }

    @Test
    void whatDoesNotFitIsLeftOutLastFirst() {
        Plan plan = Plan.of(two(), Duration.ofSeconds(779));
        assertEquals("first", plan.experiments().getFirst().command());
        assertEquals("second", plan.left().getFirst().command());
        assertTrue(plan.text().contains("left out for want of time, 7 min: second"), plan.text());
    }

    @Test
    void experimentsRunInTheirOrderAndThePlanStandsBesideTheResults(@TempDir Path out) throws Exception {
        assertEquals(Ending.DONE, new FullRun(two(), Duration.ofMinutes(13), out, SILENT).run());
        assertEquals(List.of("first", "second"), begun);
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(plan.startsWith("Planned for 13 min: 1 x the headline's runs"), plan);
        assertFalse(plan.contains("left out"), plan);
    }

    @Test
    void anInterruptEndsItAndTheNextIsNotBegun(@TempDir Path out) throws Exception {
        List<Experiment> all =
                List.of(experiment("first", true, Ending.INTERRUPTED), experiment("second", false, Ending.DONE));
        assertEquals(Ending.INTERRUPTED, new FullRun(all, Duration.ofHours(1), out, SILENT).run());
        assertEquals(List.of("first"), begun);
        assertTrue(Files.readString(out.resolve(FullRun.PLAN)).contains("interrupted; the same command goes on"));
    }

    @Test
    void whatCannotBeRunHereIsNamedAndTheNextIsRun(@TempDir Path out) throws Exception {
        Experiment broken = new Experiment("broken", true, 1, 1, 1, pace -> {
            throw new BenchException("no such disk");
        });
        List<Experiment> all = List.of(broken, experiment("second", false, Ending.DONE));
        assertEquals(Ending.VOID, new FullRun(all, Duration.ofHours(1), out, SILENT).run());
        assertEquals(List.of("second"), begun);
        String plan = Files.readString(out.resolve(FullRun.PLAN));
        assertTrue(plan.contains("left out because it could not be run: no such disk: broken"), plan);
    }

    @Test
    void aTimeThatIsTooShortIsRefused(@TempDir Path out) {
        assertThrows(BenchException.class, () -> new FullRun(two(), Duration.ofMinutes(1), out, SILENT).run());
    }
}
