package io.multimed.bench.full;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The runs of an experiment that are still to be made. Used by one thread. */
final class Todo {
    private final Experiment experiment;
    /** Number of runs left in each repetition, from the first. */
    private final List<Integer> runs;

    Todo(Experiment experiment, List<Integer> runs) {
        this.experiment = experiment;
        this.runs = new ArrayList<>(runs);
    }

    Experiment experiment() {
        return experiment;
    }

    /** Returns the number of runs in that many repetitions; in all of them, if there are fewer. */
    int runs(int repetitions) {
        return runs.stream().limit(repetitions).mapToInt(Integer::intValue).sum();
    }

    /** Marks runs as done: they have been made, or have been tried and are not tried again. */
    void done(int repetitions) {
        Collections.fill(runs.subList(0, Math.min(repetitions, runs.size())), 0);
    }

    /** Marks the experiment as impossible on this machine. */
    void giveUp() {
        done(runs.size());
    }
}
