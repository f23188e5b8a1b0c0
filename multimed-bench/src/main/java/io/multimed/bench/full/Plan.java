package io.multimed.bench.full;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The number of repetitions of each experiment in the given time. Experiments are added in order of their worth, rung by rung
 * of a ladder. An experiment that does not fit is skipped, and a later one may fit.
 *
 * @param steps in the order of the rungs on which they begin
 * @param left experiments without even one repetition
 */
record Plan(Pace pace, List<Step> steps, List<Step> left) {
    /**
     * An experiment up to a repetition, whether or not some of it has been run.
     *
     * @param runs number of runs that are still to be made up to that repetition
     * @param seconds about
     */
    record Step(Todo todo, int repetitions, int runs, int seconds) {
        String line(Pace pace) {
            return todo.experiment().line(pace, repetitions);
        }
    }

    /**
     * @param further whether it is a repetition beyond the number that the plan requires
     */
    private record Rung(Rank rank, int repetitions, boolean further) {}

    /** The runs that are made together. Further repetitions are made after everything else. */
    private record Part(Todo todo, boolean further) {}

    /** Most repetitions; more would add no information. */
    static final int MOST_REPETITIONS = 10;

    /** Number of pairs that give the median of their ratios a lower bound of 95 %. */
    private static final int PAIRS = 5;

    private static final int SOME_PAIRS = 3;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final List<Rung> LADDER = ladder();

    Plan {
        steps = List.copyOf(steps);
        left = List.copyOf(left);
    }

    private static List<Rung> ladder() {
        List<Rung> ladder = new ArrayList<>();
        // First comes one run of every comparison; then the headline's pairs, some of the other comparisons', every
        // figure
        // once.
        climb(ladder, Rank.HEADLINE, 1, 1);
        climb(ladder, Rank.COMPARISON, 1, 1);
        climb(ladder, Rank.HEADLINE, 2, PAIRS);
        climb(ladder, Rank.COMPARISON, 2, SOME_PAIRS);
        climb(ladder, Rank.FIGURE, 1, 1);
        climb(ladder, Rank.COMPARISON, SOME_PAIRS + 1, PAIRS);
        for (int more = 1; more <= MOST_REPETITIONS - PAIRS; more++) {
            ladder.add(new Rung(Rank.HEADLINE, PAIRS + more, true));
            ladder.add(new Rung(Rank.COMPARISON, PAIRS + more, true));
            ladder.add(new Rung(Rank.FIGURE, 1 + more, true));
        }
        return List.copyOf(ladder);
    }

    private static void climb(List<Rung> ladder, Rank rank, int from, int to) {
        for (int repetitions = from; repetitions <= to; repetitions++) {
            ladder.add(new Rung(rank, repetitions, false));
        }
    }

    /**
     * @param factor ratio of real to estimated durations
     */
    static Plan of(List<Todo> all, Pace pace, Duration within, double factor) {
        Map<Part, Step> chosen = new LinkedHashMap<>();
        Map<Todo, Step> left = new LinkedHashMap<>();
        long seconds = within.toSeconds();
        for (Rung rung : LADDER) {
            for (Todo todo : all) {
                if (todo.experiment().rank() != rung.rank()) {
                    continue;
                }
                Step none = new Step(todo, 0, 0, 0);
                Part part = new Part(todo, rung.further());
                Step planned = rung.further() ? chosen.getOrDefault(new Part(todo, false), none) : none;
                int runs = todo.runs(rung.repetitions()) - todo.runs(planned.repetitions());
                int estimated = todo.experiment().seconds(pace, runs);
                Step step = new Step(todo, rung.repetitions(), runs, (int) Math.ceil(factor * estimated));
                Step lower = chosen.getOrDefault(part, none);
                if (step.runs() > lower.runs() && step.seconds() - lower.seconds() <= seconds) {
                    seconds -= step.seconds() - lower.seconds();
                    chosen.put(part, step);
                } else if (step.runs() > lower.runs() && step.repetitions() == 1) {
                    left.put(todo, step);
                }
            }
        }
        return new Plan(pace, List.copyOf(chosen.values()), List.copyOf(left.values()));
    }

    /** Returns the plan for people, to be shown before the first run. */
    String text() {
        StringBuilder text = new StringBuilder(pace.text()).append('\n');
        steps.forEach(step -> text.append(line("", step)));
        text.append(String.format(
                Locale.ROOT,
                "about %d min in all%n",
                minutes(steps.stream().mapToInt(Step::seconds).sum())));
        left.forEach(step -> text.append(line("then, if time is left: ", step)));
        text.append("and further repetitions, as long as there is time\n");
        return text.toString();
    }

    private String line(String before, Step step) {
        return String.format(
                Locale.ROOT,
                "%s%4d %s %3d min  %s%n",
                before,
                step.runs(),
                step.runs() == 1 ? "run, " : "runs,",
                minutes(step.seconds()),
                step.line(pace));
    }

    static int minutes(int seconds) {
        return Math.ceilDiv(seconds, SECONDS_PER_MINUTE);
    }
}
