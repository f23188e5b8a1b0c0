package io.multimed.bench.full;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which experiments fit into a time, and at which pace: all of them at the best pace that they fit at, or else at the least one
 * as many of them as fit, the earlier ones first. Without the first one none is run: what the others say is beside it.
 *
 * @param left what does not fit
 */
record Plan(Pace pace, List<Experiment> experiments, List<Experiment> left) {
    private static final int SECONDS_PER_MINUTE = 60;

    Plan {
        experiments = List.copyOf(experiments);
        left = List.copyOf(left);
    }

    static Plan of(List<Experiment> all, Duration within) {
        for (Pace pace : Pace.ALL.reversed()) {
            if (seconds(all, pace) <= within.toSeconds()) {
                return new Plan(pace, all, List.of());
            }
        }
        Pace least = Pace.ALL.getFirst();
        List<Experiment> fit = new ArrayList<>();
        List<Experiment> left = new ArrayList<>();
        for (Experiment experiment : all) {
            boolean fits = seconds(fit, least) + experiment.seconds(least) <= within.toSeconds();
            (fits && !left.contains(all.getFirst()) ? fit : left).add(experiment);
        }
        return new Plan(least, fit, left);
    }

    private static int seconds(List<Experiment> experiments, Pace pace) {
        return experiments.stream()
                .mapToInt(experiment -> experiment.seconds(pace))
                .sum();
    }

    /** For people, before anything is run. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(pace.text()).append('\n');
        for (Experiment experiment : experiments) {
            int runs = pace.runs(experiment.headline()) * experiment.runs();
            text.append(String.format(
                    Locale.ROOT,
                    "%4d %s, %3d min  %s%n",
                    runs,
                    runs == 1 ? "run " : "runs",
                    minutes(experiment.seconds(pace)),
                    experiment.line(pace)));
        }
        text.append(String.format(Locale.ROOT, "about %d min in all%n", minutes(seconds(experiments, pace))));
        left.forEach(experiment -> text.append(leftOut(experiment)));
        return text.toString();
    }

    /** Of one for which there is no time. */
    String leftOut(Experiment experiment) {
        return "left out for want of time, " + minutes(experiment.seconds(pace)) + " min: " + experiment.line(pace)
                + "\n";
    }

    static int minutes(int seconds) {
        return Math.ceilDiv(seconds, SECONDS_PER_MINUTE);
    }
}
