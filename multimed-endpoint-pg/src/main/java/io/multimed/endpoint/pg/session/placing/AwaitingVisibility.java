package io.multimed.endpoint.pg.session.placing;

import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;

/**
 * The wait for the Master to show all that Satellites had shown to anyone when the unit arrived. It is asked for a
 * snapshot, again and again: a commit becomes visible there a moment after the relay has confirmed it.
 */
final class AwaitingVisibility {
    /** A snapshot taken twice in a row is nearly always enough; a commit that hangs must not be asked for at full speed. */
    private static final int SNAPSHOTS_WITHOUT_PAUSE = 4;

    private final LoopContext loop;
    private final SessionControl owner;
    private final Waiting waiting;
    private final Unit unit;

    AwaitingVisibility(SessionContext session, Waiting waiting, Unit unit) {
        loop = session.loop();
        owner = session.owner();
        this.waiting = waiting;
        this.unit = unit;
    }

    /** Whether the Master shows it. @return false when that has to be waited for */
    boolean masterShowsEnough() {
        MasterVisibility visibility = loop.services().visibility();
        if (unit.mustShow == Unit.NOT_ASKED) {
            unit.mustShow = visibility.shown();
        }
        if (visibility.masterShows(unit.mustShow)) {
            return true;
        }
        if (loop.nanoTime() - unit.arrivedNanos
                >= loop.options().timeouts().master().toNanos()) {
            owner.fail(ErrorFields.fatal(
                    SqlState.CANNOT_CONNECT_NOW, "the master does not show what satellites have shown already"));
            return false;
        }
        waiting.begin(Wait.VISIBILITY);
        loop.counters().waitedForVisibility();
        loop.snapshots().take(this::masterWasAsked);
        return false;
    }

    private void masterWasAsked() {
        if (!waiting.is(Wait.VISIBILITY)) {
            // On behalf of a unit that was cancelled.
            return;
        }
        unit.timesAsked++;
        if (unit.timesAsked <= SNAPSHOTS_WITHOUT_PAUSE) {
            owner.resume(Wait.VISIBILITY);
        } else {
            waiting.alarmIn(1, () -> owner.resume(Wait.VISIBILITY));
        }
    }
}
