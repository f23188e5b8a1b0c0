package io.multimed.core.propagation;

/**
 * What Multimed has heard from the Master's log, and so the floor of a strong read.
 *
 * <p>The Master makes a commit visible, and acknowledges it, only after the relay has confirmed it, and the relay
 * publishes it here before it confirms. So whatever anyone can have seen or been told is at or below {@link #floor()}.
 *
 * <p>While the relay is not connected nothing of the kind holds: the floor is {@link #UNKNOWN} and no Satellite may
 * serve a strong read. Nor may any while there is a {@link #doubt}: a commit may have been told to wait no longer.
 *
 * <p>What the relay tells it, the relay thread alone does; doubts come from any, and so do readers.
 */
public final class MasterLog implements Floor {
    /** No floor: the relay is not connected, or has not yet caught up with where the Master was when it connected. */
    public static final long UNKNOWN = Floor.UNKNOWN;

    private final MasterVisibility visibility;
    /** Written by the relay thread and by those who doubt; whoever reads takes what is volatile. */
    private final Object lock = new Object();

    private long lastCommit;
    private long connectedAt = Long.MAX_VALUE;
    private long doubts;
    private long ended;
    /** Up to where the log must be received that a doubt may have been about. */
    private long doubtedUpTo;

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
        synchronized (lock) {
            connectedAt = masterPosition;
            lastCommit = Math.max(lastCommit, masterPosition);
            publish();
        }
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
        synchronized (lock) {
            lastCommit = Math.max(lastCommit, scn);
        }
    }

    /** All of the log up to {@code position} has been received and its commits reported; called before confirming. */
    public void received(long position) {
        synchronized (lock) {
            received = position;
            publish();
        }
    }

    /** The relay has lost the Master: from now on commits may happen that nobody hears of. */
    public void disconnected() {
        synchronized (lock) {
            connectedAt = Long.MAX_VALUE;
            publish();
        }
    }

    /**
     * From now on somebody may see a commit, or be told of it, that the relay has not received: it waits no longer. There
     * is no floor until the relay has received all that the Master's durable log holds after this.
     *
     * <p>Any thread. The Master is to be asked then where its log ends, see {@link #endDoubts}.
     *
     * @return its number, by which {@link #isOver} tells whether it is over
     */
    public long doubt() {
        synchronized (lock) {
            doubts++;
            publish();
            return doubts;
        }
    }

    /** How many doubts there have been. Any thread. */
    public long doubts() {
        synchronized (lock) {
            return doubts;
        }
    }

    /** Whether it is not known of some doubt how much of the log it may have been about. Any thread. */
    public boolean isDoubted() {
        synchronized (lock) {
            return ended < doubts;
        }
    }

    /**
     * The Master was asked. Any thread.
     *
     * @param count what {@link #doubts} was before it was asked
     * @param masterPosition where its durable log ended: what those doubts may have been about lies below
     */
    public void endDoubts(long count, long masterPosition) {
        synchronized (lock) {
            ended = Math.max(ended, count);
            doubtedUpTo = Math.max(doubtedUpTo, masterPosition);
            publish();
        }
    }

    /** Whether the relay has received what the doubt may have been about. Any thread. */
    public boolean isOver(long doubt) {
        synchronized (lock) {
            return ended >= doubt && received >= doubtedUpTo;
        }
    }

    private void publish() {
        boolean known = received >= connectedAt && received >= doubtedUpTo && ended == doubts;
        floor = known ? lastCommit : UNKNOWN;
    }
}
