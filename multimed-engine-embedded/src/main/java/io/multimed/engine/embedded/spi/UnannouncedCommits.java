package io.multimed.engine.embedded.spi;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runtime's log for commits in the Master that none of its sessions makes: by a trigger with a connection of its own, another
 * connection to the engine, or a procedure that commits. Any thread.
 */
public interface UnannouncedCommits {
    /**
     * Commits such a transaction. Its place in the log and its commit are one step for all other threads.
     *
     * @param capture returns its changes, null if there are none that Satellites hold; called while nothing else commits
     * @param inEngine commits it in the engine
     * @return the result of {@code inEngine}
     */
    boolean commit(Supplier<@Nullable Changes> capture, BooleanSupplier inEngine);

    /** Looks at the Master while no session of the runtime commits. Returns the result of the look. */
    boolean quiesced(BooleanSupplier look);
}
