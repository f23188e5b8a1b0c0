package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.nio.file.Path;
import java.util.Optional;

/** One of the compared systems. */
public interface SystemUnderTest {
    /** Returns its name on the command line. */
    String name();

    /** Returns one line for readers of results: its kind and its resources. */
    String description();

    /** Returns why it cannot be run on this machine at all; then it is skipped. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /**
     * Starts the system and returns once it serves.
     *
     * @param data a cluster that is this run's alone
     * @param files an existing directory for its other files
     * @throws BenchException if it did not come up; nothing of it is left then
     */
    RunningSystem start(Path data, Path files) throws BenchException, InterruptedException;
}
