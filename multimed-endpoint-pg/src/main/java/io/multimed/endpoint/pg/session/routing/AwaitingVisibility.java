package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;

/**
 * The wait of the session's unit until the Master shows everything that Satellites had shown to any client when the unit arrived.
 * The Master is asked for a snapshot repeatedly, since a commit becomes visible there shortly after the relay has confirmed it.
 */
public final class AwaitingVisibility {
    private final LoopContext loop;
    private final SessionControl owner;
    private final Waiting waiting;
    private final Admission admission;

    public AwaitingVisibility(LoopContext loop, SessionControl owner, Waiting waiting, Admission admission) {
        this.loop = loop;
        this.owner = owner;
        this.waiting = waiting;
        this.admission = admission;
    }

    /**
     * Whether the Master shows enough.
     *
     * @return false when the session has to wait for that
     */
    boolean masterShowsEnough() {
        long patience = loop.options().timeouts().master().toNanos();
        return switch (admission.turnOnMaster(loop.nanoTime(), patience)) {
            case BEGINS -> true;
            case AWAITS_SNAPSHOT -> {
                waiting.begin(Wait.VISIBILITY);
                loop.counters().waitedForVisibility();
                loop.snapshots().take(this::masterWasAsked);
                yield false;
            }
            case GIVES_UP -> {
                owner.fail(ErrorFields.fatal(
                        SqlState.CANNOT_CONNECT_NOW, "the master does not show what satellites have shown already"));
                yield false;
            }
        };
    }

    private void masterWasAsked() {
        if (!waiting.is(Wait.VISIBILITY)) {
            // The snapshot was requested for a unit that has been cancelled.
            return;
        }
        if (admission.snapshotTaken()) {
            waiting.alarmIn(1, () -> owner.resume(Wait.VISIBILITY));
        } else {
            owner.resume(Wait.VISIBILITY);
        }
    }
}
