package io.multimed.engine.postgresql.writeset;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue between the log and one applier: whole transactions in the order of their commits, and how far they go. A
 * transaction that changes none of the subscriber's tables is a position.
 *
 * <p>Invariants: SCNs enter in order, each once, whatever the lanes that give to it repeat; {@code done <= taken <= received}. The
 * lanes' threads write the tail, the applier's the head.
 */
public final class Subscription {
    /** Memory at which a queue is full: some tens of thousands of rows, which keep the applier busy. */
    static final long FULL_BYTES = 64L << 20;

    private final Predicate<QualifiedName> tables;
    private final long fullBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Transaction> queue = new ArrayDeque<>();
    private long received;
    private long bytes;
    private volatile long done;
    /** The position up to which the applier needs everything at once. */
    private long wanted;

    private @Nullable Throwable end;

    /** Whole transactions of the Master that an applier applies in one of its own, and the position behind them. */
    record Group(List<Transaction> transactions, long position) {}

    /**
     * @param tables those that the subscriber carries; used by the stream's thread
     * @param from the position whose commits the subscriber has
     * @param fullBytes memory at which the queue is full; one transaction may go beyond it
     */
    Subscription(Predicate<QualifiedName> tables, long from, long fullBytes) {
        this.tables = tables;
        this.fullBytes = fullBytes;
        received = from;
        done = from;
    }

    /** Takes a transaction from the stream. */
    void offer(Transaction transaction) {
        Transaction wanted = transaction.of(tables);
        lock.lock();
        try {
            if (end != null || transaction.scn() <= received) {
                return;
            }
            received = transaction.scn();
            if (!wanted.changes().isEmpty()) {
                queue.add(wanted);
                bytes += wanted.bytes();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that every commit up to {@code position} has been offered. */
    void position(long position) {
        lock.lock();
        try {
            if (end == null && position > received) {
                received = position;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the queue has room, at most this long. */
    void awaitRoom(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (hasNoRoom() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean hasNoRoom() {
        return bytes > fullBytes && received >= wanted && end == null;
    }

    /** Whether nothing more should be offered for now. */
    boolean isFull() {
        lock.lock();
        try {
            return hasNoRoom();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the applier may soon have nothing to do. */
    boolean isHungry() {
        lock.lock();
        try {
            return (bytes < fullBytes / 2 || received < wanted) && end == null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the position up to which everything was offered. */
    long received() {
        lock.lock();
        try {
            return received;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns what has queued, up to {@code maxBytes} but at least one transaction; waits while there is nothing.
     *
     * @return null if the subscription has ended; what has queued then is not taken
     */
    @Nullable
    Group take(long maxBytes) throws InterruptedException {
        lock.lock();
        try {
            while (end == null && received <= done) {
                changed.await();
            }
            if (end != null) {
                return null;
            }
            List<Transaction> group = new ArrayList<>();
            long taken = 0;
            for (Transaction next = queue.peek();
                    next != null && (group.isEmpty() || taken + next.bytes() <= maxBytes);
                    next = queue.peek()) {
                group.add(queue.remove());
                taken += next.bytes();
            }
            Transaction next = queue.peek();
            long position =
                    next == null ? received : group.get(group.size() - 1).scn();
            return new Group(group, position);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a group that has been taken, with everything behind it up to a position; waits for that, whatever the queue holds.
     *
     * @return null if the subscription has ended
     */
    @Nullable
    Group takeUpTo(long position, Group group) throws InterruptedException {
        lock.lock();
        try {
            wanted = position;
            // The lanes may wait for room.
            changed.signalAll();
            while (end == null && received < position) {
                changed.await();
            }
            if (end != null) {
                return null;
            }
            List<Transaction> more = new ArrayList<>(group.transactions());
            for (Transaction next = queue.peek(); next != null && next.scn() <= position; next = queue.peek()) {
                more.add(queue.remove());
            }
            return new Group(more, position);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a group is applied. */
    void done(Group group) {
        lock.lock();
        try {
            for (Transaction transaction : group.transactions()) {
                bytes -= transaction.bytes();
            }
            done = group.position();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the position up to which the subscriber needs nothing any more. Any thread. */
    public long done() {
        return done;
    }

    /** Waits until the subscriber is done with {@code position}, at most this long; for those who read there. Any thread. */
    public boolean await(long position, long time, TimeUnit unit) throws InterruptedException {
        lock.lock();
        try {
            long left = unit.toNanos(time);
            while (done < position && end == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            return done >= position;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the subscription; the first cause stays. Any thread. */
    void end(Throwable cause) {
        lock.lock();
        try {
            if (end == null) {
                end = cause;
                queue.clear();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the subscription has ended, or null. Any thread. */
    public @Nullable Throwable ended() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }
}
