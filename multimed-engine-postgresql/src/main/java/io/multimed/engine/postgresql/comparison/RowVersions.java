package io.multimed.engine.postgresql.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The versions of rows that one snapshot of one engine shows in some blocks of a table.
 *
 * <p>A version has a place and a transaction that has written it. On a full Satellite both are the Master's, and no other version ever has
 * both. It becomes visible once, and stops being visible once.
 *
 * @param shape what the digests depend on beside the rows: the table's file and columns
 * @param finished all transactions with lower numbers have ended in this snapshot
 * @param digests of the versions' contents
 */
record RowVersions(String shape, long finished, Map<Version, Long> digests) {
    /** Numbers below this are no transactions of users, and all of them have ended. */
    private static final int FIRST_NORMAL = 3;

    /**
     * A version of a row.
     *
     * @param place its block and its number there
     * @param writer the lower 32 bits of the number of the transaction
     */
    record Version(String place, long writer) {
        /** Whether the writer's number is lower. PostgreSQL has no numbers that are further apart than 2^31. */
        boolean isWrittenBefore(long transaction) {
            return writer < FIRST_NORMAL || (int) (writer - transaction) < 0;
        }
    }

    /**
     * Returns the versions for which a Satellite is wrong, be committed what may between the two snapshots of the Master: it lacks a
     * version that the Master has shown all the time, shows another content, or shows a version that was gone before.
     *
     * <p>Nothing can be said of a version that came and went in between.
     *
     * @param before of the Master; the Satellite's snapshot contains all that this one does
     * @param satellite the Satellite's
     * @param after of the Master; contains all that the Satellite's does
     */
    static List<Version> wrong(RowVersions before, RowVersions satellite, RowVersions after) {
        List<Version> wrong = new ArrayList<>();
        if (!before.shape.equals(satellite.shape) || !before.shape.equals(after.shape)) {
            return wrong;
        }
        before.digests.forEach((version, digest) -> {
            Long shown = satellite.digests.get(version);
            // Another digest on the Master itself tells of a change that no row shows, such as a renamed value of an
            // enum.
            if (digest.equals(after.digests.get(version)) && !digest.equals(shown)) {
                wrong.add(version);
            }
        });
        satellite.digests.forEach((version, digest) -> {
            if (before.digests.containsKey(version)) {
                return;
            }
            Long later = after.digests.get(version);
            if (later == null ? version.isWrittenBefore(before.finished) : !later.equals(digest)) {
                wrong.add(version);
            }
        });
        return wrong;
    }
}
