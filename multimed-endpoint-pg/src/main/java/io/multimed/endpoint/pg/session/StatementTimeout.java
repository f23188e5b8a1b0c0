package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Applies the engine's statement_timeout to a unit that waits before an engine has it: the time counts from the beginning of the
 * wait. A unit that had to wait and was then sent is cancelled when both together exceed the timeout.
 */
final class StatementTimeout {
    private static final ErrorFields TIMED_OUT =
            ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to statement timeout");

    private final ClientTasks tasks;
    private final Exchange exchange;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Unit unit;
    private final WaitingUnit waitingUnit;
    private @Nullable ScheduledFuture<?> alarm;
    /** Number of the unit for which the alarm is set. */
    private long number;

    StatementTimeout(
            ClientTasks tasks,
            Exchange exchange,
            SessionVariables variables,
            Waiting waiting,
            Unit unit,
            WaitingUnit waitingUnit) {
        this.tasks = tasks;
        this.exchange = exchange;
        this.variables = variables;
        this.waiting = waiting;
        this.unit = unit;
        this.waitingUnit = waitingUnit;
    }

    /** Sets or ends the alarm after all input that can go on has been processed. */
    void processed() {
        if (!waitsUnsent()) {
            if (alarm != null && exchange.isDrained()) {
                end();
            }
            return;
        }
        long millis = variables.defaults().statementMillis();
        if (millis == 0 || (alarm != null && number == unit.number())) {
            return;
        }
        end();
        number = unit.number();
        alarm = tasks.in(millis, this::over);
    }

    /** Whether a unit waits that a single engine would already execute. */
    private boolean waitsUnsent() {
        return waiting.isForUnit() && !waiting.is(Wait.REPLIES) && !waiting.is(Wait.ENGINE_WRITABLE);
    }

    private void over() {
        alarm = null;
        if (number == unit.number() && waiting.isForUnit()) {
            waitingUnit.stop(TIMED_OUT);
        } else if (number + 1 == unit.number() && exchange.isBound() && !exchange.onlyInternal()) {
            exchange.timeOut(TIMED_OUT);
        }
    }

    /** Ends the alarm, because the unit has been answered or the session ends. */
    void end() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }
}
