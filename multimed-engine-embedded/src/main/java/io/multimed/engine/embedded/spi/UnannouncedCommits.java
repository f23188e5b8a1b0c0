package io.multimed.engine.embedded.spi;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runtime's log, for commits in the Master that none of its sessions makes: a trigger with a connection of its own, another
 * connection to the engine, a procedure that commits. Any thread.
 */
public interface UnannouncedCommits {
    /**
     * Commits such a transaction: its place in the log and its commit are one step for everybody else.
     *
     * @param capture what it has changed, null if nothing that Satellites hold; asked while nothing else commits
     * @param inEngine commits it
     * @return what {@code inEngine} returned
     */
    boolean commit(Supplier<@Nullable Changes> capture, BooleanSupplier inEngine);

    /** Looks at the Master while no session of the runtime commits. */
    boolean quiesced(BooleanSupplier look);
}
