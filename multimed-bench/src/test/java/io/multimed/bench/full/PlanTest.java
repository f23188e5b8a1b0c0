package io.multimed.bench.full;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The plans of full runs. Runs of this pace take 30 s, with the work beside their clients'; each experiment is loaded in 20 s.
 */
class PlanTest {
    private static final Pace PACE = Pace.of(Duration.ofMinutes(40));

    private static Todo todo(String name, Rank rank, Integer... runs) {
        Experiment experiment = new Experiment(name, rank, (pace, repetitions, there) -> {
            throw new IllegalStateException("nothing is run");
        });
        List<Integer> left = new ArrayList<>(Arrays.asList(runs));
        // Each further repetition has as many runs.
        left.addAll(Collections.nCopies(Plan.MOST_REPETITIONS - left.size(), left.getLast()));
        return new Todo(experiment, left);
    }

    /** Returns experiments with two runs in a repetition: 80 s for the first one, 60 for each further one. */
    private static List<Todo> all() {
        return List.of(
                todo("headline", Rank.HEADLINE, 2), todo("target", Rank.COMPARISON, 2), todo("figure", Rank.FIGURE, 2));
    }

    private static String repetitions(List<Todo> all, int seconds) {
        return repetitions(all, seconds, 1);
    }

    private static String repetitions(List<Todo> all, int seconds, double factor) {
        return Plan.of(all, PACE, Duration.ofSeconds(seconds), factor).steps().stream()
                .map(step -> step.todo().experiment().command() + " " + step.repetitions())
                .collect(Collectors.joining(", "));
    }

    @Test
    void everyTargetHasSomethingBeforeTheHeadlineIsRepeated() {
        assertEquals("headline 1", repetitions(all(), 80));
        assertEquals("headline 1, target 1", repetitions(all(), 160));
        assertEquals("headline 2, target 1", repetitions(all(), 220));
    }

    @Test
    void theHeadlinesPairsComeFirstThenSomeOfEachTargetThenEveryFigureThenTheTargetsRest() {
        assertEquals("headline 5, target 1", repetitions(all(), 400));
        assertEquals("headline 5, target 3", repetitions(all(), 520));
        assertEquals("headline 5, target 3, figure 1", repetitions(all(), 600));
        assertEquals("headline 5, target 5, figure 1", repetitions(all(), 720));
    }

    @Test
    void whatTimeIsLeftGoesToFurtherRoundsBehindEverythingElse() {
        String first = "headline 5, target 5, figure 1";
        assertEquals(first + ", headline 6, target 6, figure 2", repetitions(all(), 960));
        assertEquals(first + ", headline 7, target 6, figure 2", repetitions(all(), 1_020));
        assertEquals(first + ", headline 10, target 10, figure 6", repetitions(all(), 1_000_000));
    }

    @Test
    void whatDoesNotFitIsPassedOverAndNamed() {
        List<Todo> all = new ArrayList<>(all());
        all.add(1, todo("large", Rank.COMPARISON, 100));
        Plan plan = Plan.of(all, PACE, Duration.ofMinutes(10), 1);
        assertEquals("headline 5, target 3, figure 1", repetitions(all, 600));
        assertTrue(
                plan.text()
                        .contains("then, if time is left:  100 runs,  51 min  ./multimed large --runs 1 --warmup 15"
                                + " --time 10\n"),
                plan.text());
    }

    @Test
    void whatIsThereTakesNoTimeAndIsNoPartOfThePlan() {
        List<Todo> all = List.of(todo("headline", Rank.HEADLINE, 0, 0, 0, 0, 1, 2), todo("target", Rank.COMPARISON, 2));
        assertEquals("target 1, headline 5", repetitions(all, 130));
        all.getFirst().done(5);
        assertEquals("target 1", repetitions(all, 80));
        all.getLast().done(Plan.MOST_REPETITIONS);
        assertEquals("", repetitions(all, 79));
        assertEquals("headline 6", repetitions(all, 80));
    }

    @Test
    void whatTakesLongerThanEstimatedLeavesLessTime() {
        assertEquals("headline 1, target 1", repetitions(all(), 320, 2));
        assertEquals("headline 2, target 1", repetitions(all(), 110, 0.5));
    }

    @Test
    void aPlannedLineIsACommandOfTheSamePaceWhichTheTimeAloneChooses() {
        String text = Plan.of(all(), PACE, Duration.ofSeconds(400), 1).text();
        assertTrue(text.startsWith("runs of 10 s after a warm-up of 15 s\n"), text);
        assertTrue(text.contains("  10 runs,   6 min  ./multimed headline --runs 5 --warmup 15 --time 10\n"), text);
        assertTrue(text.contains("about 7 min in all\n"), text);
        assertEquals(PACE, Pace.of(Duration.ofMinutes(10)));
        assertTrue(Pace.of(Duration.ofHours(1)).options(5).contains("--warmup 25 --time 10"));
        assertEquals(20, Pace.of(Duration.ofHours(4)).seconds());
    }
}
