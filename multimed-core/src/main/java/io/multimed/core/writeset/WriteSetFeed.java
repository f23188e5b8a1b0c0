package io.multimed.core.writeset;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.writeset.WriteSetLog.Entry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the write sets of a {@link WriteSetLog} to one Satellite, in order.
 *
 * <p>Whoever needs it applies: a reader that finds its Satellite behind applies what is missing in its own thread, which
 * costs no wake-up and starts at once; a thread of the feed's own applies what nobody asked for; and a committing thread
 * that finds the Satellite far behind helps, which is what bounds the memory of the log. Writers never wait for a
 * Satellite: if another thread applies and does not get on, they go on; a Satellite that is {@link #GIVE_UP_BEHIND}
 * behind is given up.
 *
 * <p>Several write sets share one transaction of the Satellite as long as nobody waits for less: a reader that waits
 * stops at what it needs.
 *
 * @param <W> a write set
 */
public final class WriteSetFeed<W> implements AutoCloseable {
    /** Changed rows of finished commits that may be kept in memory for a Satellite that does not get on. */
    public static final long GIVE_UP_BEHIND = 2_000_000;
    /** Changed rows applied in one transaction of the Satellite: what a commit costs is spread, readers see progress. */
    private static final long GROUP_ROWS = 512;
    /** How far behind the feed's own thread is woken; less waits for its next round, or for a reader. */
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

    /** A place in a log: what a copy of the data contains. */
    public static final class Position<W> {
        private final Entry<W> last;

        private Position(Entry<W> last) {
            this.last = last;
        }

        public long scn() {
            return last.scn;
        }

        /** The end of the log; what it contains is on the Master if no transaction can commit at the moment. */
        public static <W> Position<W> end(WriteSetLog<W> log) {
            return new Position<>(log.tail());
        }
    }

    /**
     * Starts to feed a Satellite that has been made from a copy taken at {@code from}; nobody is told yet that it serves.
     *
     * @param onFailure told once, by the thread that applied, when the Satellite has diverged or failed; the feed has
     *     ended and the node is out of rotation
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

    /** Whether it has failed or was closed. */
    public boolean ended() {
        return ended;
    }

    /** Changed rows that the Satellite has not applied. */
    public long behind() {
        return log.tail().rowsBefore - last.rowsBefore;
    }

    /** Whether somebody applies now, so that a reader who is in a hurry had better look elsewhere. */
    public boolean busy() {
        return applying.isLocked();
    }

    /** Whether who needs that much would have to wait for others: for who applies, or for a commit that is under way. */
    public boolean isHeldUp(long required) {
        return busy() || log.tail().scn < required;
    }

    /**
     * Applies, in the caller's thread or by waiting for the one that does, up to {@code required}.
     *
     * @param patienceNanos how long to wait for others; what the caller applies itself takes as long as it takes
     * @return whether the Satellite has applied it
     */
    public boolean reach(long required, long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        while (!node.covers(required)) {
            if (ended || !node.serving()) {
                return false;
            }
            // Only while the commit itself is under way; it is in nobody's way to wait for that.
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
                // A catalog change that the session has seen and that is not in the log yet.
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, CATALOG_NANOS);
            } else if (!node.covers(required) && System.nanoTime() - deadline >= 0) {
                // Its readers are in the way.
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

    /** Looks at the Master. */
    @FunctionalInterface
    public interface MasterLook<X extends Exception> {
        /** @return the SCN as of which it has looked; negative if it cannot at the moment */
        long run() throws X;
    }

    /**
     * Looks at the Master and at this Satellite as they are at one SCN. Nothing is applied here meanwhile; writers do not wait for the
     * Satellite.
     *
     * @return false if the Master cannot be looked at now, the Satellite has failed, or its readers are in the way
     */
    public <X extends Exception> boolean inStep(MasterLook<X> ofMaster, WriteSetLog.Commit<X> ofSatellite) throws X {
        applying.lock();
        try {
            // First, so that readers who wait for it do not wait for the look as well.
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

    /** Looks at a Satellite that does not change meanwhile. */
    @FunctionalInterface
    public interface Quiesced<W, T, X extends Exception> {
        T run(Position<W> at) throws X;
    }

    /** A commit has happened; {@code rows} is what all commits have changed. Called by committing threads. */
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
        // What one transaction changed is in memory anyway: only what has piled up behind the next one counts.
        Entry<W> next = last.next;
        if (next != null && log.tail().rowsBefore - next.rowsBefore > GIVE_UP_BEHIND) {
            fail(new IllegalStateException("more than " + GIVE_UP_BEHIND + " changed rows behind"));
        }
    }

    /** Under {@code applying}. */
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
            // From the last commit on again, when somebody next asks for it.
            return;
        } catch (Throwable e) {
            // Whatever it is, what the Satellite has is in no known state.
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

    /** Before a reader can see it; also by a feed that has ended meanwhile, since its engine may still answer somebody. */
    private void mayShow(long scn) {
        synchronized (node) {
            if (scn > node.forwarded()) {
                node.forwarded(scn);
            }
        }
    }

    /** Not once it has ended: the node may have another feed by then, whose position this is not. */
    private synchronized void publish(long scn) {
        if (!ended) {
            node.applied(scn);
        }
    }

    /** The Satellite serves no more, for a reason found by the feed or told by a reader. Any thread. */
    public void fail(Throwable cause) {
        synchronized (this) {
            if (ended) {
                return;
            }
            end();
        }
        onFailure.accept(cause);
    }

    /** Ends the feed; the engine is the caller's. Idempotent. */
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
                // The lock is not fair: a reader that waits must get in between.
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
