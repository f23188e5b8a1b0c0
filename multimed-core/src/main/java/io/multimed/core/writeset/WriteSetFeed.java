package io.multimed.core.writeset;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.writeset.WriteSetLog.Entry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the write sets of a {@link WriteSetLog} to one Satellite, in order.
 *
 * <p>Several threads apply. A reader that finds its Satellite behind applies the missing write sets in its own thread, which costs
 * no wake-up and starts at once. A thread of the feed's own applies write sets that no reader has requested. A committing thread
 * that finds the Satellite far behind helps, which bounds the memory of the log. Writers never wait for a Satellite: if another
 * thread applies without progress, they continue; a Satellite that is {@link #GIVE_UP_BEHIND} behind is given up.
 *
 * <p>Several write sets share one transaction of the Satellite as long as no reader waits for fewer; with a waiting reader, the
 * transaction ends with the last write set that the reader needs.
 *
 * @param <W> a write set
 */
public final class WriteSetFeed<W> implements AutoCloseable {
    /** Number of changed rows of finished commits that may be kept in memory for a Satellite that makes no progress. */
    public static final long GIVE_UP_BEHIND = 2_000_000;
    /**
     * Number of changed rows applied in one transaction of the Satellite, which spreads the cost of a commit while readers see
     * progress.
     */
    private static final long GROUP_ROWS = 512;
    /** Number of rows behind at which the feed's own thread is woken; fewer wait for its next round, or for a reader. */
    private static final long WAKE_BEHIND = 1024;

    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CATALOG_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final WriteSetLog<W> log;
    private final ComputationalNode node;
    private final WriteSetTarget<W> target;
    private final Consumer<Throwable> onFailure;
    private final YieldingLock applying = new YieldingLock();
    /** The last entry applied; written under {@code applying}. */
    private volatile Entry<W> last;

    private volatile boolean ended;
    private volatile @Nullable Thread thread;
    private volatile boolean parked;

    private WriteSetFeed(
            WriteSetLog<W> log,
            ComputationalNode node,
            WriteSetTarget<W> target,
            Consumer<Throwable> onFailure,
            Entry<W> last) {
        this.log = log;
        this.node = node;
        this.target = target;
        this.onFailure = onFailure;
        this.last = last;
    }

    /** A position in a log: the commits that a copy of the data contains. */
    public static final class Position<W> {
        private final Entry<W> last;

        private Position(Entry<W> last) {
            this.last = last;
        }

        public long scn() {
            return last.scn;
        }

        /** Returns the end of the log. If no transaction can commit at the moment, everything up to there is on the Master. */
        public static <W> Position<W> end(WriteSetLog<W> log) {
            return new Position<>(log.tail());
        }
    }

    /**
     * Starts to feed a Satellite that has been made from a copy taken at {@code from}. The caller puts it into rotation later.
     *
     * @param onFailure called once, by the thread that applied, when the Satellite has diverged or failed; the feed has ended
     *     and the node is out of rotation
     */
    public static <W> WriteSetFeed<W> start(
            WriteSetLog<W> log,
            Position<W> from,
            ComputationalNode node,
            WriteSetTarget<W> target,
            Consumer<Throwable> onFailure) {
        WriteSetFeed<W> feed = new WriteSetFeed<>(log, node, target, onFailure, from.last);
        feed.mayShow(from.scn());
        node.applied(from.scn());
        log.add(feed);
        Thread thread = new Thread(feed::run, "multimed-applier-" + node.id());
        thread.setDaemon(true);
        feed.thread = thread;
        thread.start();
        return feed;
    }

    public ComputationalNode node() {
        return node;
    }

    /** Whether the feed has failed or was closed. */
    public boolean ended() {
        return ended;
    }

    /** Returns the number of changed rows that the Satellite has not applied. */
    public long behind() {
        return log.tail().rowsBefore - last.rowsBefore;
    }

    /** Whether a thread applies now, so that a reader in a hurry should use another Satellite. */
    public boolean busy() {
        return applying.isLocked();
    }

    /**
     * Whether a reader that requires this SCN would have to wait for another thread that applies, or for a commit that is under
     * way.
     */
    public boolean isHeldUp(long required) {
        return busy() || log.tail().scn < required;
    }

    /**
     * Applies everything up to {@code required}, in the caller's thread or by waiting for another thread that applies.
     *
     * @param patienceNanos longest wait for others; applying by the caller itself is not limited
     * @return whether the Satellite has applied it
     */
    public boolean reach(long required, long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        while (!node.covers(required)) {
            if (ended || !node.serving()) {
                return false;
            }
            // The entry is missing only while the commit itself is under way. Waiting for that blocks no other thread.
            if (log.tail().scn < required && !log.settled(deadline - System.nanoTime())) {
                return false;
            }
            if (!applying.tryLock(deadline - System.nanoTime())) {
                return false;
            }
            try {
                apply(required, Long.MAX_VALUE);
            } finally {
                applying.unlock();
            }
            if (log.tail().scn < required) {
                // The session has seen a catalog change that is not in the log yet.
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, CATALOG_NANOS);
            } else if (!node.covers(required) && System.nanoTime() - deadline >= 0) {
                // The Satellite's readers prevent the write set from being applied.
                return false;
            }
        }
        return true;
    }

    /** Runs {@code work} while nothing is applied here, with the position that the Satellite has reached. */
    public <T, X extends Exception> T quiesced(Quiesced<W, T, X> work) throws X {
        applying.lock();
        try {
            return work.run(new Position<>(last));
        } finally {
            applying.unlock();
        }
    }

    /** An inspection of the Master. */
    @FunctionalInterface
    public interface MasterLook<X extends Exception> {
        /** @return the SCN at which it saw the Master; negative if that is not possible at the moment */
        long run() throws X;
    }

    /**
     * Inspects the Master and this Satellite at the same SCN. Nothing is applied here meanwhile; writers do not wait for the
     * Satellite.
     *
     * @return false if the Master cannot be inspected now, the Satellite has failed, or its readers prevent it from reaching
     *     the SCN
     */
    public <X extends Exception> boolean inStep(MasterLook<X> ofMaster, WriteSetLog.Commit<X> ofSatellite) throws X {
        applying.lock();
        try {
            // This comes first, so that waiting readers do not have to wait for the inspection as well.
            apply(log.tail().scn, Long.MAX_VALUE);
            long scn = ended ? -1 : ofMaster.run();
            if (scn < 0) {
                return false;
            }
            apply(scn, Long.MAX_VALUE);
            if (ended || last.scn != scn) {
                return false;
            }
            ofSatellite.run();
            return true;
        } finally {
            applying.unlock();
        }
    }

    /** An inspection of a Satellite that does not change meanwhile. */
    @FunctionalInterface
    public interface Quiesced<W, T, X extends Exception> {
        T run(Position<W> at) throws X;
    }

    /** Called by committing threads after a commit; {@code rows} is the number of rows changed by all commits. */
    void behind(long rows) {
        long behind = rows - last.rowsBefore;
        if (behind > WAKE_BEHIND) {
            if (parked) {
                parked = false;
                LockSupport.unpark(thread);
            }
            if (behind > WriteSetLog.HELP_BEHIND) {
                help();
            }
        }
    }

    private void help() {
        if (applying.tryLock()) {
            try {
                apply(Long.MAX_VALUE, GROUP_ROWS);
            } finally {
                applying.unlock();
            }
            return;
        }
        // The changes of a single transaction are in memory anyway, so only those behind the next one count.
        Entry<W> next = last.next;
        if (next != null && log.tail().rowsBefore - next.rowsBefore > GIVE_UP_BEHIND) {
            fail(new IllegalStateException("more than " + GIVE_UP_BEHIND + " changed rows behind"));
        }
    }

    /** Applies entries; the caller holds {@code applying}. */
    private void apply(long upTo, long rows) {
        Entry<W> reached = last;
        long stop = rows == Long.MAX_VALUE ? rows : reached.rowsBefore + rows;
        try {
            while (!ended && reached.scn < upTo && reached.rowsBefore < stop) {
                Entry<W> next = reached.next;
                if (next == null) {
                    return;
                }
                Entry<W> end = groupEnd(next, upTo, reached.rowsBefore + GROUP_ROWS);
                mayShow(end.scn);
                while (reached != end) {
                    reached = Objects.requireNonNull(reached.next);
                    if (reached.writeSet != null) {
                        target.apply(reached.writeSet);
                    }
                }
                target.commit();
                last = reached;
                publish(reached.scn);
            }
        } catch (BusyException e) {
            // The next request applies from the last commit on again.
            return;
        } catch (Throwable e) {
            // After any other exception the state of the Satellite's data is unknown.
            fail(e);
        }
    }

    private static <W> Entry<W> groupEnd(Entry<W> first, long upTo, long rows) {
        Entry<W> end = first;
        Entry<W> next = end.next;
        while (next != null && end.scn < upTo && end.rowsBefore < rows) {
            end = next;
            next = end.next;
        }
        return end;
    }

    /**
     * Publishes the SCN before a reader can see its data. A feed that has ended meanwhile does this too, since its engine may still
     * answer readers.
     */
    private void mayShow(long scn) {
        synchronized (node) {
            if (scn > node.forwarded()) {
                node.forwarded(scn);
            }
        }
    }

    /** Publishes the applied SCN, unless the feed has ended: the node may then have another feed with a different position. */
    private synchronized void publish(long scn) {
        if (!ended) {
            node.applied(scn);
        }
    }

    /** Ends service of the Satellite, for a reason found by the feed or by a reader. Thread-safe. */
    public void fail(Throwable cause) {
        synchronized (this) {
            if (ended) {
                return;
            }
            end();
        }
        onFailure.accept(cause);
    }

    /** Ends the feed; the caller owns the engine. Idempotent. */
    @Override
    public synchronized void close() {
        end();
    }

    private void end() {
        ended = true;
        node.serving(false);
        log.remove(this);
        LockSupport.unpark(thread);
    }

    private void run() {
        long pause = ROUND_NANOS;
        while (!ended) {
            boolean applied = false;
            if (last.next != null && applying.tryLock()) {
                try {
                    apply(Long.MAX_VALUE, GROUP_ROWS);
                    applied = true;
                } finally {
                    applying.unlock();
                }
            }
            if (applied && behind() > WAKE_BEHIND) {
                // The lock is not fair, so this lets a waiting reader get it.
                Thread.yield();
                continue;
            }
            pause = applied ? ROUND_NANOS : Math.min(pause * 2, IDLE_NANOS);
            parked = true;
            if (!ended) {
                LockSupport.parkNanos(this, pause);
            }
            parked = false;
        }
    }
}
