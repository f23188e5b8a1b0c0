package io.multimed.testkit.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a condition, and names it if it does not come true. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private Await() {}

    /** Returns once the condition is true. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("still waiting for: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
