package io.multimed.bench.full;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The runs of an experiment that are still to be made. Used by one thread. */
final class Todo {
    private final Experiment experiment;
    /** How many of each repetition, from the first. */
    private final List<Integer> runs;

    Todo(Experiment experiment, List<Integer> runs) {
        this.experiment = experiment;
        this.runs = new ArrayList<>(runs);
    }

    Experiment experiment() {
        return experiment;
    }

    /** In that many repetitions; of more than there are to be, those of all. */
    int runs(int repetitions) {
        return runs.stream().limit(repetitions).mapToInt(Integer::intValue).sum();
    }

    /** They have been run, or have been tried and are not tried again. */
    void done(int repetitions) {
        Collections.fill(runs.subList(0, Math.min(repetitions, runs.size())), 0);
    }

    /** It cannot be run here. */
    void giveUp() {
        done(runs.size());
    }
}
