package io.multimed.testkit.history;

import java.util.List;

/**
 * @param violations empty if the history keeps all guarantees
 * @param commits in the Master's order
 * @param satelliteReads snapshots that Satellites showed
 * @param masterReads snapshots that the Master showed to readers
 * @param forks reads on the Master that missed a commit with an earlier record, not acknowledged then, and saw a later one:
 *     PostgreSQL allows it (parallel snapshot isolation). Likewise reads on Satellites where {@linkplain Snapshots#COLLECTED
 *     snapshots are collected}
 * @param undecided updates whose reply was lost
 */
public record Report(
        List<Violation> violations, int commits, int satelliteReads, int masterReads, int forks, int undecided) {
    public Report {
        violations = List.copyOf(violations);
    }

    public boolean passed() {
        return violations.isEmpty();
    }
}
