package io.multimed.tests.sequence;

import io.multimed.testkit.sequence.Difference;
import java.util.List;

/**
 * The differences from PostgreSQL's answers that docs/limits.md describes, and answers of PostgreSQL that are faults of its
 * own.
 */
final class AdmittedDifferences {
    private static final List<String> REFUSALS = List.of(
            "M='cannot execute on a satellite within this transaction",
            "M='cannot UNLISTEN within a transaction block what was listened to outside of one");

    /** An error of a Query behind messages without Sync, which may find PostgreSQL's transaction state like this. */
    private static final String FAULT = "C='XX000' M='StartTransactionCommand: unexpected state";

    private AdmittedDifferences() {}

    static boolean admit(Difference difference) {
        return difference.expected().contains(FAULT)
                || REFUSALS.stream().anyMatch(difference.answered()::contains)
                || isPortalGoneWithTheSync(difference)
                || isPreparedTooEarly(difference)
                || isNotPreparedInFailedBlock(difference);
    }

    private static boolean isPortalGoneWithTheSync(Difference difference) {
        return difference.expected().startsWith("CommandComplete SELECT 0")
                && difference.answered().contains("C='34000' M='portal \"");
    }

    private static boolean isPreparedTooEarly(Difference difference) {
        return difference.expected().startsWith("CommandComplete ")
                && difference
                        .answered()
                        .contains("C='25001' M='SET TRANSACTION ISOLATION LEVEL must be called before any query'");
    }

    private static boolean isNotPreparedInFailedBlock(Difference difference) {
        return (difference.expected().contains("C='08P01' M='bind message supplies ")
                        || difference.expected().startsWith("ParameterDescription"))
                && difference.answered().contains("C='25P02'");
    }
}
