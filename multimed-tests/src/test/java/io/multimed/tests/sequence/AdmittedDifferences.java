package io.multimed.tests.sequence;

import io.multimed.testkit.sequence.Difference;
import java.util.List;

/** Knows the answers that docs/limits.md says are not PostgreSQL's, and those of PostgreSQL that are faults of its own. */
final class AdmittedDifferences {
    private static final List<String> REFUSALS = List.of(
            "M='cannot execute on a satellite within this transaction",
            "M='cannot UNLISTEN within a transaction block what was listened to outside of one");

    /** What a Query behind messages without Sync may make of PostgreSQL's transaction state. */
    private static final String FAULT = "C='XX000' M='StartTransactionCommand: unexpected state";

    private AdmittedDifferences() {}

    static boolean admit(Difference difference) {
        return difference.expected().contains(FAULT) || REFUSALS.stream().anyMatch(difference.answered()::contains);
    }
}
