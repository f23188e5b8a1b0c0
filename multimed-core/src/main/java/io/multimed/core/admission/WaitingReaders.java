package io.multimed.core.admission;

import io.multimed.core.propagation.FreshnessGate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Readers of one event loop that wait for a Satellite to have applied what they require.
 *
 * <p>No wake-up is missed: the number of readers is announced at the gate before a reader is looked at once more, and feeds
 * publish what they have applied before they look at that number.
 *
 * <p>Used on the loop alone.
 */
public final class WaitingReaders implements AutoCloseable {
    /** A reader that waits. */
    public interface Reader {
        /** Whether its wait is over: a Satellite is fresh, or it may wait no longer. */
        boolean isOver();

        /** Its wait is over, and it is among those who wait no longer. */
        void goOn();
    }

    private final Set<Reader> readers = new LinkedHashSet<>();
    private final FreshnessGate.Waiters waiters;

    /** @param loop runs the looks at all readers after progress */
    public WaitingReaders(FreshnessGate gate, Executor loop) {
        waiters = gate.register(loop, this::lookAtAll);
    }

    /** The reader begins to wait. @return whether its wait is over already, so that it need not */
    public boolean await(Reader reader) {
        readers.add(reader);
        waiters.waiting(readers.size());
        if (!reader.isOver()) {
            return false;
        }
        leave(reader);
        return true;
    }

    /** Lets the reader go on if its wait is over: progress, or the end of its patience. */
    public void lookAt(Reader reader) {
        if (readers.contains(reader) && reader.isOver()) {
            leave(reader);
            reader.goOn();
        }
    }

    private void lookAtAll() {
        List.copyOf(readers).forEach(this::lookAt);
    }

    /** The reader waits no longer. */
    public void leave(Reader reader) {
        if (readers.remove(reader)) {
            waiters.waiting(readers.size());
        }
    }

    /** Nobody is woken any more. */
    @Override
    public void close() {
        waiters.close();
    }
}
