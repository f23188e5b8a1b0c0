package io.multimed.core.writeset;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held for some ten microseconds. A thread that finds it taken first yields the processor to others, above all to
 * the holder, before it goes to sleep, which would cost more than the wait.
 */
final class YieldingLock {
    private static final int YIELDS = 64;

    private final ReentrantLock lock = new ReentrantLock();

    void lock() {
        if (!yielding()) {
            lock.lock();
        }
    }

    /** @return whether the lock was acquired in time */
    boolean tryLock(long nanos) throws InterruptedException {
        return yielding() || lock.tryLock(nanos, TimeUnit.NANOSECONDS);
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    private boolean yielding() {
        for (int i = 0; i < YIELDS; i++) {
            if (lock.tryLock()) {
                return true;
            }
            Thread.yield();
        }
        return false;
    }

    boolean isLocked() {
        return lock.isLocked();
    }

    void unlock() {
        lock.unlock();
    }
}
