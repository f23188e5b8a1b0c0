package io.multimed.core.propagation;

/**
 * What Multimed has heard from the Master's log, and so the floor of a strong read.
 *
 * <p>The Master makes a commit visible, and acknowledges it, only after the relay has confirmed it, and the relay
 * publishes it here before it confirms. So whatever anyone can have seen or been told is at or below {@link #floor()}.
 *
 * <p>While the relay is not connected nothing of the kind holds: the floor is {@link #UNKNOWN} and no Satellite may
 * serve a strong read.
 *
 * <p>Written by the relay thread alone; read by any.
 */
public final class MasterLog implements Floor {
    /** No floor: the relay is not connected, or has not yet caught up with where the Master was when it connected. */
    public static final long UNKNOWN = Floor.UNKNOWN;

    private final MasterVisibility visibility;
    private long lastCommit;
    private long connectedAt = Long.MAX_VALUE;
    private volatile long received;
    private volatile long floor = UNKNOWN;

    public MasterLog(MasterVisibility visibility) {
        this.visibility = visibility;
    }

    /**
     * The floor of a strong read that arrives now: the SCN of the last commit received, or {@link #UNKNOWN}.
     *
     * <p>Any thread.
     */
    @Override
    public long floor() {
        return floor;
    }

    /** End of the log that is in Multimed's memory. Any thread. */
    public long received() {
        return received;
    }

    /**
     * The relay streams again.
     *
     * @param masterPosition where the Master's durable log ended when the relay connected, read when the Master already
     *     made commits wait for the relay: everything that anyone saw while the relay was away lies below, so there is
     *     no floor until the stream has reached it
     */
    public void connected(long masterPosition) {
        connectedAt = masterPosition;
        lastCommit = Math.max(lastCommit, masterPosition);
        publish();
    }

    /**
     * A commit record has been received.
     *
     * @param scn its end
     * @param transaction the engine's own number of the transaction, by which a snapshot of the Master tells whether
     *     it is visible
     */
    public void commit(long scn, long transaction) {
        visibility.committed(scn, transaction);
        lastCommit = Math.max(lastCommit, scn);
    }

    /** All of the log up to {@code position} has been received and its commits reported; called before confirming. */
    public void received(long position) {
        received = position;
        publish();
    }

    /** The relay has lost the Master: from now on commits may happen that nobody hears of. */
    public void disconnected() {
        connectedAt = Long.MAX_VALUE;
        floor = UNKNOWN;
    }

    private void publish() {
        floor = received >= connectedAt ? lastCommit : UNKNOWN;
    }
}
