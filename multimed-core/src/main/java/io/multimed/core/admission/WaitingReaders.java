package io.multimed.core.admission;

import io.multimed.core.propagation.FreshnessGate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Readers of one event loop that wait until a Satellite has applied the SCN that they require.
 *
 * <p>No wake-up is missed: the number of readers is announced at the gate before a reader is checked once more, and feeds publish
 * their applied SCN before they read that number.
 *
 * <p>Used on the loop alone.
 */
public final class WaitingReaders implements AutoCloseable {
    /** A waiting reader. */
    public interface Reader {
        /** Whether its wait is over: a Satellite is fresh, or it may wait no longer. */
        boolean isOver();

        /** Called after the reader has been removed because its wait is over. */
        void goOn();
    }

    private final Set<Reader> readers = new LinkedHashSet<>();
    private final FreshnessGate.Waiters waiters;

    /** @param loop runs the checks of all readers after progress */
    public WaitingReaders(FreshnessGate gate, Executor loop) {
        waiters = gate.register(loop, this::lookAtAll);
    }

    /** Adds a reader. @return true if its wait is over already, so that it was not added */
    public boolean await(Reader reader) {
        readers.add(reader);
        waiters.waiting(readers.size());
        if (!reader.isOver()) {
            return false;
        }
        leave(reader);
        return true;
    }

    /** Lets the reader continue if its wait is over, by progress or by the end of its patience. */
    public void lookAt(Reader reader) {
        if (readers.contains(reader) && reader.isOver()) {
            leave(reader);
            reader.goOn();
        }
    }

    private void lookAtAll() {
        List.copyOf(readers).forEach(this::lookAt);
    }

    /** Removes a reader. */
    public void leave(Reader reader) {
        if (readers.remove(reader)) {
            waiters.waiting(readers.size());
        }
    }

    /** Ends all wake-ups. */
    @Override
    public void close() {
        waiters.close();
    }
}
