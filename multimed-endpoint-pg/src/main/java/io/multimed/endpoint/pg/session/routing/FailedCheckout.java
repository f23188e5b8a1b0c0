package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.ConnectionLimits;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import org.jspecify.annotations.Nullable;

/**
 * The consequence of a request for a connection that has failed: the unit runs on the Master, is tried again there for a limited
 * time, or fails; or the session ends.
 */
public final class FailedCheckout {
    private static final int RETRY_MASTER_MILLIS = 50;

    private final LoopContext loop;
    private final SessionControl owner;
    private final PoolKey key;
    private final Waiting waiting;
    private final Unit unit;

    public FailedCheckout(LoopContext loop, SessionControl owner, PoolKey key, Waiting waiting, Unit unit) {
        this.loop = loop;
        this.owner = owner;
        this.key = key;
        this.waiting = waiting;
        this.unit = unit;
    }

    /**
     * Handles the failure.
     *
     * @param node the node from which the connection was requested; null if the request was withdrawn
     * @param error the engine's answer; null when the engine could not be reached at all
     */
    void handle(@Nullable ComputationalNode node, @Nullable ErrorFields error) {
        if (node != null && node.role() == Role.SATELLITE) {
            unit.admission().onMaster(Reason.RETRIED);
            owner.resume(Wait.CONNECTION);
            return;
        }
        boolean reached = error != null && ConnectionLimits.isReached(error, key);
        if (error != null && !reached && error.sqlState().equals(SqlState.TOO_MANY_CONNECTIONS)) {
            stop(error);
            return;
        }
        if (error != null && !reached && !isPassing(error)) {
            owner.fail(error);
            return;
        }
        if (reached) {
            // Idle connections have reached the limit: the number of clients is within it.
            loop.closeIdle();
        }
        long patience = loop.options().timeouts().master().toNanos();
        if (unit.admission().hasWaited(loop.nanoTime(), patience)) {
            if (error != null && reached) {
                stop(error);
                return;
            }
            owner.fail(
                    error != null
                            ? error
                            : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
            return;
        }
        waiting.begin(Wait.RETRY);
        waiting.alarmIn(RETRY_MASTER_MILLIS, () -> owner.resume(Wait.RETRY));
    }

    /** Stops only the unit, since the session has no connection to lose. */
    private void stop(ErrorFields error) {
        unit.stop(new ErrorFields("ERROR", error.sqlState(), error.message(), error.detail(), error.hint()));
        owner.resume(Wait.CONNECTION);
    }

    /** Whether the Master may answer differently a moment later. */
    private static boolean isPassing(ErrorFields error) {
        return switch (error.sqlState()) {
            case SqlState.CANNOT_CONNECT_NOW, SqlState.ADMIN_SHUTDOWN, SqlState.CRASH_SHUTDOWN -> true;
            default -> false;
        };
    }
}
