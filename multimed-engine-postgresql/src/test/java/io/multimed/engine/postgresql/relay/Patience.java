package io.multimed.engine.postgresql.relay;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition, with a deadline far beyond the usual time. */
final class Patience {
    interface Condition {
        boolean holds() throws Exception;
    }

    private Patience() {}

    static void until(String what, Condition condition) throws Exception {
        until(() -> what, condition);
    }

    /** @param what said when it did not happen */
    static void until(Supplier<String> what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("did not happen: " + what.get());
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
