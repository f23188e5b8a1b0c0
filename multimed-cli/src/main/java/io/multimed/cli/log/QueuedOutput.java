package io.multimed.cli.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Output that never holds up the writing thread: a thread of its own passes it on. A terminal may be stopped (Ctrl-S), and a
 * pipe may have no reader; commits must not wait for that.
 *
 * <p>Output beyond the bound is left out, and a message says so.
 */
public final class QueuedOutput extends OutputStream {
    private static final int MOST_BYTES = 1 << 18;

    private final OutputStream target;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // The lock guards the following fields:
    private final Queue<byte[]> queue = new ArrayDeque<>();
    private int queued;
    private long lost;
    private boolean writing;

    private QueuedOutput(OutputStream target) {
        this.target = target;
    }

    /** @param target written by a daemon thread that never ends */
    public static QueuedOutput to(OutputStream target) {
        QueuedOutput output = new QueuedOutput(target);
        Thread.ofPlatform().daemon().name("multimed-output").start(output::run);
        return output;
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Queues the bytes without waiting for the target. Any thread. */
    @Override
    public void write(byte[] bytes, int offset, int length) {
        lock.lock();
        try {
            if (queued + length > MOST_BYTES) {
                lost += length;
                return;
            }
            if (lost > 0) {
                add(("\n[" + lost + " bytes left out]\n").getBytes(StandardCharsets.US_ASCII));
                lost = 0;
            }
            add(Arrays.copyOfRange(bytes, offset, offset + length));
        } finally {
            lock.unlock();
        }
    }

    private void add(byte[] bytes) {
        queue.add(bytes);
        queued += bytes.length;
        changed.signalAll();
    }

    /** Blocks until all that was written has reached the target, or {@code patience} has passed. */
    public void drain(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            long left = patience.toNanos();
            while ((writing || !queue.isEmpty()) && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (true) {
            byte[] next = next();
            try {
                target.write(next);
                target.flush();
            } catch (IOException e) {
                // There is no reader any more, and no other place for a message.
            }
        }
    }

    private byte[] next() {
        lock.lock();
        try {
            writing = false;
            changed.signalAll();
            byte[] next = queue.poll();
            while (next == null) {
                changed.awaitUninterruptibly();
                next = queue.poll();
            }
            queued -= next.length;
            writing = true;
            return next;
        } finally {
            lock.unlock();
        }
    }
}
