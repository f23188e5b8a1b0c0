package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.report.Run;
import java.util.List;

/** Runs that belong together and whose feasibility can be checked in advance. Used by one thread. */
public interface Series {
    /**
     * @throws BenchException if this machine cannot carry it, as far as that is known before anything is done
     */
    void preflight() throws BenchException;

    /**
     * Returns how many runs are still to be made of each repetition, from the first, without those of an earlier call.
     *
     * @throws BenchException if nothing of it can be run here
     */
    List<Integer> left() throws BenchException, InterruptedException;

    /**
     * Makes all runs; an interrupt of the calling thread ends it early.
     *
     * @throws BenchException if nothing could be measured at all, thrown before anything is loaded if possible
     */
    Ending run() throws BenchException;

    /** Returns the runs made so far. */
    default List<Run> runs() {
        return List.of();
    }

    /** Returns the systems that were left out because they do not start, and why; known once it has run. */
    default List<String> dropped() {
        return List.of();
    }

    /** Returns about how many seconds pass before the first run: databases are made, systems tried. */
    default int secondsBefore() {
        return 0;
    }

    /** Returns about how many seconds a run takes beside its clients' work: copies, starts, checks. */
    default int secondsBeside() {
        return 0;
    }
}
