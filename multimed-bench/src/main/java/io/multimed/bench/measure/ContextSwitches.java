package io.multimed.bench.measure;

import java.util.Map;

/**
 * Numbers of times that threads gave up a processor.
 *
 * @param voluntary to wait for something: a lock, a disk, an answer
 * @param involuntary because another thread's turn had come
 */
public record ContextSwitches(long voluntary, long involuntary) {
    static final ContextSwitches NONE = new ContextSwitches(0, 0);

    public ContextSwitches plus(ContextSwitches other) {
        return new ContextSwitches(voluntary + other.voluntary, involuntary + other.involuntary);
    }

    public long all() {
        return voluntary + involuntary;
    }

    /**
     * Returns the switches of threads, by their numbers, between two looks. Switches of threads that have ended in between are
     * unknown.
     */
    static ContextSwitches between(Map<Long, ContextSwitches> before, Map<Long, ContextSwitches> after) {
        ContextSwitches sum = NONE;
        for (Map.Entry<Long, ContextSwitches> thread : after.entrySet()) {
            ContextSwitches now = thread.getValue();
            ContextSwitches then = before.getOrDefault(thread.getKey(), NONE);
            // The number may have been given to a new thread, whose count began anew.
            boolean same = now.voluntary >= then.voluntary && now.involuntary >= then.involuntary;
            sum = sum.plus(
                    same
                            ? new ContextSwitches(now.voluntary - then.voluntary, now.involuntary - then.involuntary)
                            : now);
        }
        return sum;
    }
}
