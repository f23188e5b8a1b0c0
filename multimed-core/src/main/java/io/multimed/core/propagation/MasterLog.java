package io.multimed.core.propagation;

/**
 * The received part of the Master's log, and the floor of strong reads that follows from it.
 *
 * <p>The Master makes a commit visible, and acknowledges it, only after the relay has confirmed it, and the relay publishes it here
 * before it confirms. So every commit that any client can have seen or had acknowledged is at or below {@link #floor()}.
 *
 * <p>While the relay is not connected this does not hold: the floor is {@link #UNKNOWN} and no Satellite may serve a strong read.
 * The same applies while there is a {@link #doubt}: the wait of a commit for the relay may have been cut short.
 *
 * <p>Only the relay thread calls the methods that report on the relay. Doubts and readers may use any thread.
 */
public final class MasterLog implements Floor {
    /**
     * Value for a missing floor: the relay is not connected, or has not yet reached the Master's position of the time when it
     * connected.
     */
    public static final long UNKNOWN = Floor.UNKNOWN;

    private final MasterVisibility visibility;
    /** Guards the fields below, which the relay thread and threads with doubts write. Readers use the volatile fields. */
    private final Object lock = new Object();

    private long lastCommit;
    private long connectedAt = Long.MAX_VALUE;
    private long doubts;
    private long ended;
    /** Position up to which the log must be received before the doubts are over. */
    private long doubtedUpTo;

    private volatile long received;
    private volatile long floor = UNKNOWN;

    public MasterLog(MasterVisibility visibility) {
        this.visibility = visibility;
    }

    /**
     * Returns the floor of a strong read that arrives now: the SCN of the last commit received, or {@link #UNKNOWN}.
     *
     * <p>Thread-safe.
     */
    @Override
    public long floor() {
        return floor;
    }

    /** Returns the end of the log that is in Multimed's memory. Thread-safe. */
    public long received() {
        return received;
    }

    /**
     * Records that the relay streams again.
     *
     * @param masterPosition end of the Master's durable log when the relay connected, read when the Master already made commits
     *     wait for the relay. Everything that any client saw while the relay was away lies below, so there is no floor until the
     *     stream has reached it
     */
    public void connected(long masterPosition) {
        synchronized (lock) {
            connectedAt = masterPosition;
            lastCommit = Math.max(lastCommit, masterPosition);
            publish();
        }
    }

    /**
     * Records a received commit record.
     *
     * @param scn the record's end
     * @param transaction the engine's own number of the transaction, by which a snapshot of the Master tells whether it is
     *     visible
     */
    public void commit(long scn, long transaction) {
        visibility.committed(scn, transaction);
        synchronized (lock) {
            lastCommit = Math.max(lastCommit, scn);
        }
    }

    /**
     * Records that all of the log up to {@code position} has been received and its commits reported. Called before the
     * confirmation.
     */
    public void received(long position) {
        synchronized (lock) {
            received = position;
            publish();
            lock.notifyAll();
        }
    }

    /**
     * Waits until all of the log up to {@code position} has been received, without a limit. For threads that get commits on another
     * way than the relay, which may be faster.
     */
    public void awaitReceived(long position) throws InterruptedException {
        synchronized (lock) {
            while (received < position) {
                lock.wait();
            }
        }
    }

    /** Records that the relay has lost the Master. From now on there may be commits that Multimed does not receive. */
    public void disconnected() {
        synchronized (lock) {
            connectedAt = Long.MAX_VALUE;
            publish();
        }
    }

    /**
     * Begins a doubt: from now on a client may see a commit, or have it acknowledged, that the relay has not received, because the
     * commit's wait was cut short. There is no floor until the relay has received everything that the Master's durable log contains
     * after this.
     *
     * <p>Thread-safe. The caller must then ask the Master for the end of its log, see {@link #endDoubts}.
     *
     * @return the number of the doubt, for {@link #isOver}
     */
    public long doubt() {
        synchronized (lock) {
            doubts++;
            publish();
            return doubts;
        }
    }

    /** Returns the number of doubts so far. Thread-safe. */
    public long doubts() {
        synchronized (lock) {
            return doubts;
        }
    }

    /** Whether there is a doubt for which the Master's log position has not been determined yet. Thread-safe. */
    public boolean isDoubted() {
        synchronized (lock) {
            return ended < doubts;
        }
    }

    /**
     * Records the Master's answer about the end of its log. Thread-safe.
     *
     * @param count value of {@link #doubts} before the Master was asked
     * @param masterPosition end of its durable log; all commits that those doubts may have been about lie below
     */
    public void endDoubts(long count, long masterPosition) {
        synchronized (lock) {
            ended = Math.max(ended, count);
            doubtedUpTo = Math.max(doubtedUpTo, masterPosition);
            publish();
        }
    }

    /** Whether the relay has received every commit that the doubt may have been about. Thread-safe. */
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
