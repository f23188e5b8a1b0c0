package io.multimed.bench.full;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Which experiments fit into a time, and at which pace: all of them at the best pace that they fit at, or else at the least one
 * as many of them as fit, in their order.
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
        int fit = all.size();
        while (fit > 0 && seconds(all.subList(0, fit), least) > within.toSeconds()) {
            fit--;
        }
        return new Plan(least, all.subList(0, fit), all.subList(fit, all.size()));
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
            text.append(String.format(
                    Locale.ROOT,
                    "%4d runs, %3d min  %s%n",
                    pace.runs(experiment.headline()) * experiment.runs(),
                    Math.ceilDiv(experiment.seconds(pace), SECONDS_PER_MINUTE),
                    experiment.command()));
        }
        text.append(String.format(
                Locale.ROOT, "about %d min in all%n", Math.ceilDiv(seconds(experiments, pace), SECONDS_PER_MINUTE)));
        left.forEach(experiment -> text.append(leftOut(experiment)));
        return text.toString();
    }

    /** Of one for which there is no time. */
    String leftOut(Experiment experiment) {
        return "left out for want of time, " + Math.ceilDiv(experiment.seconds(pace), SECONDS_PER_MINUTE) + " min: "
                + experiment.command() + "\n";
    }
}
