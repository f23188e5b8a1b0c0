package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.UnannouncedCommits;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commits in one Master that no session makes. Any thread. */
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
            // A Master that has been replaced commits for itself alone.
            Changes changes = database.current(epoch) ? capture.get() : null;
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

    /** The engine has not committed. */
    private static final class RefusedException extends Exception {}

    /** While a change of the catalog is under way the engine commits for that, and the change finds by itself what else is new. */
    @Override
    public boolean quiesced(BooleanSupplier look) {
        return database.log()
                .<Boolean, RuntimeException>quiesced(
                        () -> database.definitions().underWay() == null && look.getAsBoolean());
    }
}
