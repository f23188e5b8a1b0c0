package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.nio.file.Path;
import java.util.Optional;

/** One of the systems that are compared. */
public interface SystemUnderTest {
    /** As the command line names it. */
    String name();

    /** One line for readers of results: what it is and what it was given. */
    String description();

    /** Why it cannot be run on this machine at all; then it is skipped. */
    Optional<String> missing();

    /**
     * Starts it and returns once it serves.
     *
     * @param data a cluster that is this run's alone
     * @param files an existing directory for whatever else it writes
     * @throws BenchException if it did not come up; nothing of it is left then
     */
    RunningSystem start(Path data, Path files) throws BenchException, InterruptedException;
}
