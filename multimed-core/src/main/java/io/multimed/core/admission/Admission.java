package io.multimed.core.admission;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.core.session.SessionFreshness;
import org.jspecify.annotations.Nullable;

/**
 * Admission of one transaction.
 *
 * <p>A read begins on a Satellite that has applied all commits that the read must see. It waits for one for a bounded time (see
 * {@link WaitingReaders}), then goes to the Master. A transaction on the Master begins once the Master shows all commits that
 * Satellites had shown to any client when the transaction arrived. Until then the Master is asked for snapshots.
 *
 * <p>Both bounds, the SCN that a read must see and the SCN that the Master must show, are fixed when they are first requested, so
 * that a busy Master cannot outrun a waiting transaction.
 *
 * <p>One object serves a session's transactions one after the other, on the thread that runs the session. Times are monotonic, in
 * nanoseconds, and come from the caller.
 */
public final class Admission {
    /** State of a transaction that is to begin on the Master. */
    public enum Turn {
        /** It may begin. */
        BEGINS,
        /** The Master has to be asked for a snapshot. After that and {@link #snapshotTaken}, the turn is to be requested again. */
        AWAITS_SNAPSHOT,
        /** The transaction has waited as long as it may, and the Master has not shown enough. */
        GIVES_UP
    }

    /**
     * Number of snapshots taken without a pause. Two are nearly always enough; a commit that hangs must not cause snapshots at full
     * speed.
     */
    private static final int SNAPSHOTS_WITHOUT_PAUSE = 4;

    private static final long NOT_FIXED = Long.MIN_VALUE;
    private static final Placement WAIT_EXPIRED = new Placement.OnMaster(Reason.WAIT_EXPIRED);

    private final AdmissionSources sources;
    private final SessionFreshness freshness;
    private final ReadNeeds needs = new ReadNeeds();
    private final boolean needsMatter;

    private boolean arrived;
    private long arrivedNanos;
    private long required = NOT_FIXED;
    private long mustShow = NOT_FIXED;
    private int snapshots;
    private @Nullable Reason masterReason;

    /** @param freshness of the session: its choice, and the commits that it has seen */
    public Admission(AdmissionSources sources, SessionFreshness freshness) {
        this.sources = sources;
        this.freshness = freshness;
        needsMatter = sources.nodes().needsMatter();
    }

    /** Records the arrival of the transaction, unless it has arrived before. @return the time of its arrival */
    public long arrive(long nowNanos) {
        if (!arrived) {
            arrived = true;
            arrivedNanos = nowNanos;
        }
        return arrivedNanos;
    }

    /** Whether the transaction arrived at least {@code patienceNanos} ago. */
    public boolean hasWaited(long nowNanos, long patienceNanos) {
        return nowNanos - arrivedNanos >= patienceNanos;
    }

    /** Returns the SCN that the transaction must see; {@link Floor#UNKNOWN} if only the Master can show it. */
    public long required() {
        if (required == NOT_FIXED) {
            required = freshness.required(sources.floor(), sources.history(), arrivedNanos);
        }
        return required;
    }

    /** Whether there are partial Satellites or routing rules, so that {@link #needs} matter. */
    public boolean needsMatter() {
        return needsMatter;
    }

    /** Returns the needs of the present read besides its freshness. */
    public ReadNeeds needs() {
        return needs;
    }

    /** Whether a snapshot taken on this Satellite now shows everything that the transaction must see. */
    public boolean isCoveredBy(ComputationalNode satellite) {
        return isCovered(satellite, needs);
    }

    /** Whether {@link #isCoveredBy} would be true for a read with these needs. */
    public boolean isCovered(ComputationalNode satellite, ReadNeeds needsOfRead) {
        long scn = required();
        return scn != Floor.UNKNOWN && (!needsMatter || needsOfRead.allow(satellite)) && satellite.covers(scn);
    }

    /** Returns where a read with these needs would be placed now. Decides nothing. */
    public Placement wouldPlace(ReadNeeds needsOfRead) {
        return sources.placer().place(required(), needsOfRead, sources.nodes());
    }

    /** Records that the Master has to execute the transaction although it only reads. */
    public void onMaster(Reason reason) {
        masterReason = reason;
    }

    /** Lets a Satellite execute the read after all, if there is one when it is placed again. */
    public void placeAgain() {
        masterReason = null;
        if (required == Floor.UNKNOWN) {
            required = NOT_FIXED;
        }
    }

    /** Returns the reason why the Master has to execute a transaction that only reads; null if a Satellite may. */
    public @Nullable Reason masterReason() {
        return masterReason;
    }

    /**
     * Places a read that no Satellite has begun.
     *
     * @param patienceNanos longest wait of the read after its arrival
     * @return the node on which it begins, or that it has to wait for freshness; a placement on the Master is final, see
     *     {@link #masterReason}
     */
    public Placement placeRead(long nowNanos, long patienceNanos) {
        Placement placement = sources.placer().place(required(), needs, sources.nodes());
        if (placement instanceof Placement.AwaitFreshness && hasWaited(nowNanos, patienceNanos)) {
            Dispatcher.awaitedInVain(required, needs, sources.nodes());
            Placement other = sources.placer().place(required(), needs, sources.nodes());
            // The read may have waited for one that suits it better.
            placement = other instanceof Placement.OnSatellite ? other : WAIT_EXPIRED;
        }
        if (placement instanceof Placement.OnMaster master) {
            masterReason = master.reason();
        }
        return placement;
    }

    /**
     * Returns the Satellite on which a read may begin at once; null if there is none, or the Master has to execute it. Decides nothing:
     * {@link #placeRead} may then still find one.
     */
    public @Nullable ComputationalNode freshSatellite() {
        return masterReason == null
                        && sources.placer().place(required(), needs, sources.nodes())
                                instanceof Placement.OnSatellite placed
                ? placed.node()
                : null;
    }

    /** Records that the read has waited in vain for the Satellite on which its transaction block has begun. */
    public void awaitedInVain(ComputationalNode satellite) {
        satellite.awaitedInVain(required());
        masterReason = Reason.WAIT_EXPIRED;
    }

    /**
     * Whether a read that waits for freshness can be placed now.
     *
     * @param bound the Satellite on which its transaction block has begun; null if there is none
     */
    public boolean isFreshNow(@Nullable ComputationalNode bound) {
        return bound != null
                ? isCoveredBy(bound)
                : !(sources.placer().place(required(), needs, sources.nodes()) instanceof Placement.AwaitFreshness);
    }

    /**
     * Returns whether the transaction may take its first snapshot on the Master.
     *
     * @param patienceNanos longest wait of the transaction after its arrival
     */
    public Turn turnOnMaster(long nowNanos, long patienceNanos) {
        if (mustShow == NOT_FIXED) {
            mustShow = sources.visibility().shown();
        }
        if (sources.visibility().masterShows(mustShow)) {
            return Turn.BEGINS;
        }
        return hasWaited(nowNanos, patienceNanos) ? Turn.GIVES_UP : Turn.AWAITS_SNAPSHOT;
    }

    /** Records that the Master was asked for a snapshot for this transaction. @return whether to pause before the next snapshot */
    public boolean snapshotTaken() {
        snapshots++;
        return snapshots > SNAPSHOTS_WITHOUT_PAUSE;
    }

    /** Discards both bounds, because the session has been shown more since. They are fixed again at the next request. */
    public void seenMore() {
        required = NOT_FIXED;
        mustShow = NOT_FIXED;
    }

    /** Prepares for the session's next transaction. */
    public void reset() {
        required = NOT_FIXED;
        mustShow = NOT_FIXED;
        arrived = false;
        arrivedNanos = 0;
        snapshots = 0;
        masterReason = null;
        if (needsMatter) {
            needs.reset();
        }
    }
}
