package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Applies the engine's limits for the time that a block may be open or idle, while no engine knows the block. The errors are
 * PostgreSQL's own.
 */
public final class BlockTimeouts {
    private static final ErrorFields IDLE = ErrorFields.fatal(
            SqlState.IDLE_IN_TRANSACTION_SESSION_TIMEOUT, "terminating connection due to idle-in-transaction timeout");
    private static final ErrorFields LONG =
            ErrorFields.fatal(SqlState.TRANSACTION_TIMEOUT, "terminating connection due to transaction timeout");

    private final ClientTasks tasks;
    private final SessionControl session;
    private final SessionVariables variables;
    private final Waiting waiting;
    private @Nullable ScheduledFuture<?> idle;
    private @Nullable ScheduledFuture<?> open;

    public BlockTimeouts(ClientTasks tasks, SessionControl session, SessionVariables variables, Waiting waiting) {
        this.tasks = tasks;
        this.session = session;
        this.variables = variables;
        this.waiting = waiting;
    }

    /** Starts both timeouts: a block has begun, and its client may send the next statement. */
    void begin() {
        end();
        open = after(variables.defaults().transactionMillis(), () -> session.fail(LONG));
        idle();
    }

    /** Starts the idle timeout: the client may send the next statement. */
    void idle() {
        cancel(idle);
        idle = after(variables.defaults().idleInTransactionMillis(), () -> {
            // Otherwise a statement waits to be sent. If it is answered without an engine, the idle timeout starts
            // again then.
            if (waiting.isNothing()) {
                session.fail(IDLE);
            }
        });
    }

    /** Stops the idle timeout while the client waits for an answer. */
    void busy() {
        cancel(idle);
        idle = null;
    }

    /** Stops both timeouts: the block is over, or an engine applies them. */
    void end() {
        cancel(idle);
        cancel(open);
        idle = null;
        open = null;
    }

    private @Nullable ScheduledFuture<?> after(long millis, Runnable action) {
        return millis == 0 ? null : tasks.in(millis, action);
    }

    private static void cancel(@Nullable ScheduledFuture<?> alarm) {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }
}
