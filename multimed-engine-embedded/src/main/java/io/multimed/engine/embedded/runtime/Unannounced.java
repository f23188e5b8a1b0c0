package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.UnannouncedCommits;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Receives the commits in one Master that no session of the runtime makes. Any thread. */
final class Unannounced implements UnannouncedCommits {
    private final ReplicatedDatabase database;
    private final Epoch epoch;

    Unannounced(ReplicatedDatabase database, Epoch epoch) {
        this.database = database;
        this.epoch = epoch;
    }

    @Override
    public boolean commit(Supplier<@Nullable Changes> capture, BooleanSupplier inEngine) {
        return database.log().<Boolean, RuntimeException>quiesced(() -> {
            // The commits of a Master that has been replaced do not go into the log.
            Changes changes = database.masters().isCurrent(epoch) ? capture.get() : null;
            if (changes == null) {
                return inEngine.getAsBoolean();
            }
            try {
                database.log().commit(changes, changes.rows(), () -> {
                    if (!inEngine.getAsBoolean()) {
                        throw new RefusedException();
                    }
                });
                return true;
            } catch (RefusedException e) {
                return false;
            }
        });
    }

    /** Signals that the engine has not committed. */
    private static final class RefusedException extends Exception {}

    /**
     * Looks only while no change of the catalog is under way: the engine commits for such a change, and the change finds all other
     * changes by itself.
     */
    @Override
    public boolean quiesced(BooleanSupplier look) {
        return database.log()
                .<Boolean, RuntimeException>quiesced(
                        () -> database.definitions().underWay() == null && look.getAsBoolean());
    }
}
