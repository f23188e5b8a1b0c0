package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Finds the node for a unit whose session holds no connection: a Satellite that is fresh enough, or the Master once it shows what
 * Satellites have shown.
 */
public final class UnboundRouting {
    private final LongSupplier clock;
    private final ComputationalNode master;
    private final Exchange exchange;
    private final DeferredBegin deferred;
    private final Unit unit;
    private final Admission admission;
    private final AwaitingFreshness freshness;
    private final AwaitingVisibility visibility;
    private final BackendCheckout checkout;
    private final Steering steering;
    private final RuleFallback fallback;
    private final boolean needsMatter;

    /**
     * Creates the routing of a session's unbound units.
     *
     * @param clock monotonic nanoseconds
     */
    public UnboundRouting(
            LongSupplier clock,
            ComputationalNode master,
            Exchange exchange,
            DeferredBegin deferred,
            Unit unit,
            AwaitingFreshness freshness,
            AwaitingVisibility visibility,
            BackendCheckout checkout,
            Steering steering,
            RuleFallback fallback) {
        this.clock = clock;
        this.master = master;
        this.exchange = exchange;
        this.deferred = deferred;
        this.unit = unit;
        admission = unit.admission();
        this.freshness = freshness;
        this.visibility = visibility;
        this.checkout = checkout;
        this.steering = steering;
        this.fallback = fallback;
        needsMatter = admission.needsMatter();
    }

    /**
     * Binds the session to a connection on which the unit may run now.
     *
     * @return false when it has to wait
     */
    boolean place(Access access) {
        Reason reason = access.masterReason();
        if (reason == null && !deferred.needsMaster()) {
            if (admission.masterReason() == null) {
                switch (admission.placeRead(clock.getAsLong(), freshness.patienceNanos())) {
                    case Placement.OnSatellite(var node) -> {
                        return checkout.acquire(node, Reason.FRESH_SATELLITE, access.because());
                    }
                    case Placement.AwaitFreshness ignored -> {
                        return freshness.await() && place(access);
                    }
                    case Placement.OnMaster ignored -> {}
                }
            }
            ReadRule rule = unit.rule;
            if (rule != null && RuleFallback.keepsFromMaster(rule)) {
                fallback.begin(rule);
                return false;
            }
        }
        if (!visibility.masterShowsEnough()) {
            return false;
        }
        Reason why = Objects.requireNonNullElse(
                reason, Objects.requireNonNullElse(admission.masterReason(), Reason.RETRIED));
        return checkout.acquire(master, why, access.because());
    }

    /** The result of placing a plain read. */
    public enum ReadPlaced {
        /** The session holds a connection to a Satellite. */
        ON_SATELLITE,
        /** The session waits for a connection to a Satellite, or for the reply to another session's equal read. */
        WAITS,
        /** No Satellite may begin it now. Nothing has changed. */
        ELSEWHERE
    }

    /** Places a plain read of a session that holds no connection. */
    public ReadPlaced placeRead() {
        admission.arrive(clock.getAsLong());
        if (needsMatter) {
            unit.setNeeds(unit.holdersOfPlain());
            steering.steerPlain();
        }
        ComputationalNode satellite = admission.freshSatellite();
        if (satellite == null) {
            return ReadPlaced.ELSEWHERE;
        }
        return checkout.acquire(satellite, Reason.FRESH_SATELLITE, Access.READ.because())
                ? ReadPlaced.ON_SATELLITE
                : ReadPlaced.WAITS;
    }

    /** Whether the session holds the connection for which the plain read has waited, to a Satellite that is fresh enough for it. */
    public boolean mayReadHere() {
        // It may have been classified anew while it waited for the connection.
        if (needsMatter) {
            unit.setNeeds(unit.holdersOfPlain());
            steering.steerPlain();
        }
        return unit.isServed
                && !exchange.onMaster()
                && admission.masterReason() == null
                && admission.isCoveredBy(exchange.bound().node());
    }

    /** Abandons all waits, because the session ends, or its unit is cancelled or runs elsewhere. */
    public void abandon() {
        freshness.abandon();
        checkout.abandon();
    }
}
