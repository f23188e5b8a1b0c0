package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import java.util.List;

/** Runs that belong together, and that can be asked beforehand. Used by one thread. */
public interface Series {
    /** @throws BenchException if this machine cannot carry it, as far as that can be known before anything is done */
    void preflight() throws BenchException;

    /**
     * How many runs are still to be made of each repetition, from the first; those of an earlier call are not.
     *
     * @throws BenchException if nothing of it can be run here
     */
    List<Integer> left() throws BenchException, InterruptedException;

    /**
     * Runs all; an interrupt of the calling thread ends it early.
     *
     * @throws BenchException if nothing could be measured at all, told before anything is loaded where it can be known
     */
    Ending run() throws BenchException;

    /** Systems that were left out because they do not start, and why; known once it has run. */
    default List<String> dropped() {
        return List.of();
    }
}
