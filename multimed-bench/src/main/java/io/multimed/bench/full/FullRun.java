package io.multimed.bench.full;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Preflight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Experiment after experiment, as long as there is time. Used by one thread. */
public final class FullRun {
    /** Beside the results: what was to be run, and what was left out. */
    public static final String PLAN = "plan.txt";

    private static final double SECONDS_PER_MINUTE = 60;

    private final Plan plan;
    private final Duration within;
    private final Path out;
    private final Path work;
    private final Console console;
    private final StringBuilder told = new StringBuilder();

    FullRun(List<Experiment> all, Duration within, Path out, Path work, Console console) {
        this.plan = Plan.of(all, within);
        this.within = within;
        this.out = out;
        this.work = work;
        this.console = console;
    }

    /**
     * Runs them; an interrupt of the calling thread ends it early.
     *
     * @throws BenchException if there is no time for any, or nowhere to write; told before anything else
     */
    public Ending run() throws BenchException {
        if (plan.experiments().isEmpty()) {
            throw new BenchException("--within: " + within.toMinutes()
                    + " minutes are too few for the first experiment, which takes about "
                    + Plan.minutes(plan.left().getFirst().seconds(plan.pace())));
        }
        Preflight.work(work);
        Preflight.out(out);
        long began = System.nanoTime();
        told.append("Planned for ").append(within.toMinutes()).append(" min: ").append(plan.text());
        plan.text().lines().forEach(console::say);
        write();
        Ending ending = Ending.DONE;
        for (Experiment experiment : plan.experiments()) {
            if (ending == Ending.INTERRUPTED) {
                break;
            }
            Duration left = within.minusNanos(System.nanoTime() - began);
            // Estimates differ from what comes: what fits but for a fifth is begun.
            if (left.toSeconds() < experiment.seconds(plan.pace()) * 4L / 5) {
                leaveOut(experiment, "");
                continue;
            }
            console.say(left.toMinutes() + " min left: " + experiment.line(plan.pace()));
            long since = System.nanoTime();
            try {
                ending = Collections.max(List.of(ending, experiment.body().run(plan.pace())));
            } catch (BenchException e) {
                // What one cannot do here, the next may.
                leaveOut(experiment, "because it could not be run: " + e.getMessage());
                ending = Collections.max(List.of(ending, Ending.VOID));
                continue;
            }
            if (ending != Ending.INTERRUPTED) {
                took(experiment, Duration.ofNanos(System.nanoTime() - since));
            }
        }
        if (ending == Ending.INTERRUPTED) {
            told.append("interrupted; the same command goes on where it was\n");
            // What is still to be written would otherwise be cut off.
            Thread.interrupted();
        }
        write();
        return ending;
    }

    /** What estimates are made better by. */
    private void took(Experiment experiment, Duration time) throws BenchException {
        String line = String.format(
                Locale.ROOT,
                "took %.1f min, planned %.1f: %s%n",
                time.toSeconds() / SECONDS_PER_MINUTE,
                experiment.seconds(plan.pace()) / SECONDS_PER_MINUTE,
                experiment.line(plan.pace()));
        console.say(line.strip());
        told.append(line);
        write();
    }

    private void leaveOut(Experiment experiment, String why) {
        String line = why.isEmpty()
                ? plan.leftOut(experiment)
                : "left out " + why + ": " + experiment.line(plan.pace()) + "\n";
        console.say(line.strip());
        told.append(line);
    }

    private void write() throws BenchException {
        try {
            Files.writeString(out.resolve(PLAN), told);
        } catch (IOException e) {
            throw new BenchException("cannot write " + out.resolve(PLAN) + ": " + e, e);
        }
    }
}
