package io.multimed.endpoint.pg;

import io.multimed.endpoint.pg.backend.EngineProcesses;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Processes that seem to use two milliseconds of processor time between two looks. */
final class EveryReadTakesLong implements EngineProcesses {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Map<Integer, Long> used = new ConcurrentHashMap<>();
    /** The processes that were told to leave the processors to others. */
    final Set<Integer> yielding = ConcurrentHashMap.newKeySet();

    @Override
    public long processorNanos(int processId) {
        return used.merge(processId, NANOS, Long::sum);
    }

    @Override
    public boolean isRunnable(int processId) {
        return true;
    }

    @Override
    public boolean yieldToOthers(int processId) {
        yielding.add(processId);
        return true;
    }
}
