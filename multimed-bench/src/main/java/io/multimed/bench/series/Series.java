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
}
