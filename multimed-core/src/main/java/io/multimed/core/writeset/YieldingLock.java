package io.multimed.core.writeset;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held for some ten microseconds: who finds it taken gives the processor to others for a while, most of all
 * to the holder, before going to sleep, which would cost more than the wait.
 */
final class YieldingLock {
    private static final int YIELDS = 64;

    private final ReentrantLock lock = new ReentrantLock();

    void lock() {
        if (!yielding()) {
            lock.lock();
        }
    }

    /** @return whether it was got in time */
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
