package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Checker;
import io.multimed.testkit.history.Commit;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Snapshots;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** The workload on an engine of any kind, and the verdict on its history. */
final class RecordedHistory {
    private static final int FEWEST_COMMITS = 50;

    private final Workload workload;
    private final long seed;

    /** Starts the workload, whose tables must be there. */
    RecordedHistory(Clients clients, long seed) {
        this.seed = seed;
        workload = new Workload(clients, seed);
        workload.start();
    }

    Recording recording() {
        return workload.recording();
    }

    /** Stops the sessions. */
    void stop() throws InterruptedException, ExecutionException {
        workload.stop();
    }

    /**
     * Checks the history.
     *
     * @param order all commits of the Master, in their order
     */
    Report check(List<Commit> order, Promise promise, Snapshots snapshots) {
        return Checker.check(recording().updates(), recording().reads(), order, promise, snapshots);
    }

    /**
     * Asserts that the history keeps the guarantees.
     *
     * @param expected SQLSTATEs of errors that need no mention
     * @return the history in figures
     */
    String assertKept(Report report, Set<String> expected) {
        String figures = "seed " + seed + ", " + report.commits() + " commits, " + report.satelliteReads() + " + "
                + report.masterReads() + " reads, " + recording().readsElsewhereBeforeWrites()
                + " before writes, " + report.forks() + " forks, " + report.undecided()
                + " undecided, errors " + recording().errors();
        System.out.println(figures);
        recording().firstErrors().forEach((sqlState, message) -> {
            if (!expected.contains(sqlState)) {
                System.out.println("  such as " + message);
            }
        });
        String summary = figures + " such as " + recording().firstErrors() + ", sessions "
                + recording().sessions();
        assertEquals(List.of(), report.violations(), summary);
        assertEquals(List.of(), recording().contradictions(), summary);
        assertTrue(report.commits() > FEWEST_COMMITS, summary);
        return summary;
    }
}
