package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.routing.UnboundRouting;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;

/** The unit at the head of the input while it waits, and the ends of its wait by others than the event that it awaits. */
final class WaitingUnit {
    private final SessionControl session;
    private final Unit unit;
    private final Waiting waiting;
    private final UnboundRouting routing;

    WaitingUnit(SessionControl session, Unit unit, Waiting waiting, UnboundRouting routing) {
        this.session = session;
        this.unit = unit;
        this.waiting = waiting;
        this.routing = routing;
    }

    /** Lets the unit fail with this error. */
    void stop(ErrorFields why) {
        unit.stop(why);
        goOn();
    }

    /** Lets the Master execute the unit, or the next one if none waits. */
    void goOnWithMaster() {
        unit.admission().onMaster(Reason.RETRIED);
        goOn();
    }

    private void goOn() {
        routing.abandon();
        session.resume(waiting.reason());
    }
}
