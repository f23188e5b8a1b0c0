package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The patience of one login with a Master that refuses connections for a while. Event loop only. */
public final class MasterPatience {
    private static final int RETRY_MILLIS = 50;
    /** Time during which the engine is asked again while it counts more sessions of a role or database than there are clients. */
    private static final long REACHED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LoopContext loop;
    private final PoolKey key;
    private final long began;

    public MasterPatience(LoopContext loop, PoolKey key) {
        this.loop = loop;
        this.key = key;
        this.began = loop.nanoTime();
    }

    /**
     * Whether to ask the Master again after a refusal.
     *
     * @param error null if the Master could not be reached
     */
    public boolean lastsAfter(@Nullable ErrorFields error) {
        boolean reached = error != null && ConnectionLimits.isReached(error, key);
        boolean passing = reached || error == null || error.sqlState().equals(SqlState.CANNOT_CONNECT_NOW);
        if (reached) {
            // The engine counts Multimed's idle connections too.
            loop.closeIdle();
        }
        long patience =
                reached ? REACHED_NANOS : loop.options().timeouts().master().toNanos();
        return passing && loop.nanoTime() - began < patience;
    }

    /** Runs the next attempt in a moment. */
    @SuppressWarnings("FutureReturnValueIgnored") // The attempt itself begins the next one.
    public void later(Runnable attempt) {
        loop.loop().schedule(attempt, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Returns the error for the client when the patience has ended.
     *
     * @param error the Master's; null if it could not be reached
     */
    public static ErrorFields refusal(@Nullable ErrorFields error) {
        return error != null
                ? error
                : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now");
    }
}
