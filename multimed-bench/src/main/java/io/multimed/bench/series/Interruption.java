package io.multimed.bench.series;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets the main thread end in order when the JVM is asked to end (SIGINT, SIGTERM, SIGHUP): it is interrupted, and the JVM
 * stays until it is done.
 */
public final class Interruption {
    /** Exit status of a program that ended by Ctrl-C, as shells report it. */
    public static final int STATUS = 130;

    private static final long PATIENCE_SECONDS = 180;

    private final Thread main = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);

    public Interruption() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::asked, "multimed-interruption"));
    }

    private void asked() {
        if (ended.getCount() == 0) {
            return;
        }
        main.interrupt();
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            return;
        }
        Runtime.getRuntime().halt(STATUS);
    }

    /** Lets the JVM end; the main thread is done. */
    public void done() {
        ended.countDown();
    }
}
