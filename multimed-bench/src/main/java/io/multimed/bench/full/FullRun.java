package io.multimed.bench.full;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Preflight;
import io.multimed.bench.series.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Runs experiment after experiment, as long as there is time. After each one it plans anew, by the time they have taken so far,
 * so that an experiment that did not fit may fit now. Used by one thread.
 */
public final class FullRun {
    /** Name of the file beside the results that lists the planned and the omitted experiments. */
    public static final String PLAN = "plan.txt";

    private static final double SECONDS_PER_MINUTE = 60;
    /** Least ratio of taken to estimated time: runs that failed at once do not show how long the next ones take. */
    private static final double LEAST_FACTOR = 0.5;

    private final List<Experiment> all;
    private final Pace pace;
    private final Duration within;
    private final Path out;
    private final Path work;
    private final Console console;
    private final StringBuilder told = new StringBuilder();
    /** Estimated time of the runs made so far. */
    private double estimatedSeconds;

    private double takenSeconds;

    public FullRun(List<Experiment> all, Duration within, Path out, Path work, Console console) {
        this.all = List.copyOf(all);
        this.pace = Pace.of(within);
        this.within = within;
        this.out = out;
        this.work = work;
        this.console = console;
    }

    /**
     * Runs the experiments; an interrupt of the calling thread ends the run early.
     *
     * @throws BenchException if there is no time for any, no place to write, or this machine cannot carry the first one; thrown
     *     before anything else is done
     */
    public Ending run() throws BenchException {
        Preflight.work(work);
        List<Todo> todo;
        try {
            todo = todo();
        } catch (InterruptedException e) {
            return Ending.INTERRUPTED;
        }
        Plan plan = Plan.of(todo, pace, within, 1);
        for (Plan.Step step : plan.left()) {
            // If not even the first experiment fits, the others do not matter.
            if (step.todo() == todo.getFirst()) {
                throw new BenchException("--within: " + within.toMinutes()
                        + " minutes are too few for the first experiment, which takes about "
                        + Plan.minutes(step.seconds()));
            }
        }
        Preflight.out(out);
        told.insert(0, "Planned for " + within.toMinutes() + " min: " + plan.text());
        told.toString().lines().forEach(console::say);
        write();
        long began = System.nanoTime();
        Ending ending = Ending.DONE;
        while (!plan.steps().isEmpty() && ending != Ending.INTERRUPTED) {
            ending = Collections.max(List.of(ending, run(plan.steps().getFirst())));
            plan = Plan.of(todo, pace, within.minusNanos(System.nanoTime() - began), factor());
        }
        if (ending == Ending.INTERRUPTED) {
            told.append("interrupted; the same command goes on where it was\n");
            // A pending interrupt would cut off the report, which is still to be written.
            Thread.interrupted();
        } else {
            plan.left().forEach(step -> tell("not run for want of time: " + step.line(pace)));
        }
        write();
        return ending;
    }

    /** Returns the experiments that this machine can carry; all are checked before the first one is run. */
    private List<Todo> todo() throws BenchException, InterruptedException {
        List<Run> there = Files.isDirectory(out) ? RunFiles.read(out) : List.of();
        List<Todo> todo = new ArrayList<>();
        for (Experiment experiment : all) {
            Series series = experiment.making().of(pace, Plan.MOST_REPETITIONS, there);
            try {
                series.preflight();
                todo.add(new Todo(experiment, series.left()));
            } catch (BenchException e) {
                if (todo.isEmpty()) {
                    throw e;
                }
                told.append(leftOut(experiment.line(pace, 1), e)).append('\n');
            }
        }
        return todo;
    }

    private Ending run(Plan.Step step) throws BenchException {
        Experiment experiment = step.todo().experiment();
        console.say(step.line(pace));
        long since = System.nanoTime();
        Ending ending;
        try {
            Series series = experiment.making().of(pace, step.repetitions(), RunFiles.read(out));
            ending = series.run();
            step.todo().done(step.repetitions());
        } catch (BenchException e) {
            // One experiment's failure says nothing about the next.
            step.todo().giveUp();
            tell(leftOut(step.line(pace), e));
            return Ending.VOID;
        }
        if (ending != Ending.INTERRUPTED) {
            took(step, Duration.ofNanos(System.nanoTime() - since));
        }
        return ending;
    }

    private void took(Plan.Step step, Duration time) throws BenchException {
        tell(String.format(
                Locale.ROOT,
                "took %.1f min, planned %.1f: %s",
                time.toSeconds() / SECONDS_PER_MINUTE,
                step.seconds() / SECONDS_PER_MINUTE,
                step.line(pace)));
        write();
        takenSeconds += time.toSeconds();
        estimatedSeconds += step.todo().experiment().seconds(pace, step.runs());
    }

    private double factor() {
        return estimatedSeconds == 0 ? 1 : Math.max(LEAST_FACTOR, takenSeconds / estimatedSeconds);
    }

    private static String leftOut(String line, BenchException why) {
        return "left out because it cannot be run here: " + why.getMessage() + ": " + line;
    }

    private void tell(String line) {
        console.say(line);
        told.append(line).append('\n');
    }

    private void write() throws BenchException {
        try {
            Files.writeString(out.resolve(PLAN), told);
        } catch (IOException e) {
            throw new BenchException("cannot write " + out.resolve(PLAN) + ": " + e, e);
        }
    }
}
