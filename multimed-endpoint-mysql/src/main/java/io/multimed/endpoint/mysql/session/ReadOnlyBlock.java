package io.multimed.endpoint.mysql.session;

import org.jspecify.annotations.Nullable;

/**
 * A transaction that is declared READ ONLY, from its start to its end. It is open on the Master, which has taken no snapshot for it. Its
 * first read decides where it reads: on a Satellite, where it is open too then, or on the Master.
 *
 * <p>Under REPEATABLE READ the first read fixes the snapshot, so from then on the other engine cannot execute its reads. Under READ
 * COMMITTED each statement has a snapshot of its own.
 */
final class ReadOnlyBlock {
    private boolean decided;
    private boolean keepsSnapshot;
    private boolean onMaster;
    private @Nullable SatelliteConnection satellite;
    private boolean hasRead;
    private final boolean unseen;

    /** @param isUnseen whether Multimed has started it, where the client's read would start it by itself */
    ReadOnlyBlock(boolean isUnseen) {
        unseen = isUnseen;
    }

    /** Whether the client cannot know of it: Multimed has started it, and no read in it has been answered. */
    boolean isUnseen() {
        return unseen && !hasRead;
    }

    /** Whether it is known whether all of its reads have one snapshot. */
    boolean isDecided() {
        return decided || onMaster;
    }

    /** @param oneSnapshot whether all of its reads have one snapshot */
    void decide(boolean oneSnapshot) {
        decided = true;
        keepsSnapshot = oneSnapshot;
    }

    boolean keepsSnapshot() {
        return keepsSnapshot;
    }

    /** Whether each of its statements may read on another engine. */
    boolean isOfStatements() {
        return decided && !keepsSnapshot;
    }

    /** Whether the Master executes all of the reads that are to come. */
    boolean isOnMaster() {
        return onMaster;
    }

    void moveToMaster() {
        onMaster = true;
        satellite = null;
    }

    /** Returns the connection on which the transaction is open; null if on none. */
    @Nullable
    SatelliteConnection satellite() {
        return satellite;
    }

    void openOn(@Nullable SatelliteConnection connection) {
        satellite = connection;
    }

    /** Records that the client has seen a read of the Satellite. */
    void read() {
        hasRead = true;
    }

    /** Whether the client has seen a read of it on a Satellite. */
    boolean hasRead() {
        return hasRead;
    }

    /** Whether the Master would show another snapshot than the one that the client has seen. */
    boolean isBound() {
        return keepsSnapshot && hasRead && satellite != null;
    }

    /** Whether the snapshot is fixed on the Satellite, seen or not. */
    boolean hasSnapshot() {
        return keepsSnapshot && satellite != null;
    }
}
