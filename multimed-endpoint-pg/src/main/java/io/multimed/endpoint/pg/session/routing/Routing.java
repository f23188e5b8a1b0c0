package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import java.util.function.LongSupplier;

/**
 * Finds the connection on which a session's next unit may run: on a Satellite that is fresh enough, or on the Master once it shows
 * what Satellites have shown.
 *
 * <p>{@link #place} returns false while the session has to wait. It is called again for the same unit when the wait has ended.
 *
 * <p>{@link PlacementExplanation} follows the same steps without placing anything. A change here has to be made there, too.
 */
public final class Routing {
    private final LongSupplier clock;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final AwaitingEngine engine;
    private final Unit unit;
    private final Admission admission;
    private final AwaitingVisibility visibility;
    private final AccessRules rules;
    private final Steering steering;
    private final UnboundRouting unbound;
    private final SatelliteRouting satellite;
    private final boolean needsMatter;

    /**
     * Creates the routing of a session.
     *
     * @param clock monotonic nanoseconds
     */
    public Routing(
            LongSupplier clock,
            Exchange exchange,
            TransactionBlock block,
            AwaitingEngine engine,
            Unit unit,
            AwaitingVisibility visibility,
            AccessRules rules,
            Steering steering,
            UnboundRouting unbound,
            SatelliteRouting satellite) {
        this.clock = clock;
        this.exchange = exchange;
        this.block = block;
        this.engine = engine;
        this.unit = unit;
        admission = unit.admission();
        this.visibility = visibility;
        this.rules = rules;
        this.steering = steering;
        this.unbound = unbound;
        this.satellite = satellite;
        needsMatter = admission.needsMatter();
    }

    /**
     * Binds the session to a connection on which the unit may run now.
     *
     * @return false when it has to wait
     */
    public boolean place() {
        admission.arrive(clock.getAsLong());
        Access access = unit.suitsOwnTransaction ? Access.READ : rules.of(unit.statements);
        if (needsMatter && access.isRead()) {
            ReadRule rule = steering.ruleOfUnit(unit.statements);
            unit.setNeeds(rules.holders(unit.statements, unit.suitsOwnTransaction, rule));
            access = steering.steer(access, rule);
        }
        if (!exchange.isBound()) {
            return unbound.place(access);
        }
        if (!engine.takesMore()) {
            return false;
        }
        if (exchange.isOwnTransaction()) {
            // Whether the block has failed is known only after the messages sent have been answered.
            if (unit.suitsOwnTransaction && !exchange.onlyInternal()) {
                return engine.awaitReplies();
            }
            // The Satellite may have been created anew while the unit waited for this connection.
            if (unit.suitsOwnTransaction
                    && admission.isCoveredBy(exchange.bound().node())) {
                return true;
            }
            // The unit may also have been classified anew in the meantime.
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            exchange.leave();
            return unbound.place(access);
        }
        if (exchange.isIgnored() || unit.stopped() != null) {
            // The unit is not executed anywhere.
            return true;
        }
        if (exchange.isRecovering() && !knowsWhetherRecovered()) {
            return false;
        }
        if (block.isUnsure() && !exchange.isDrained()) {
            return engine.awaitReplies();
        }
        if (exchange.onMaster()) {
            boolean leaves = access.isRead()
                    || access.equals(Access.CHOSEN)
                    || access.equals(Access.RULE)
                    || unit.isUndeclaredBegin();
            if (leaves && !block.isOpen() && !exchange.isDrained() && exchange.onlyInternal() && !unit.isServed) {
                // The Master is only asked what the last transaction left behind: then a Satellite may take the read,
                // no engine is needed for a BEGIN, and the route of a read that is to stay here is its own.
                return engine.awaitReplies();
            }
            // Between BEGIN and the first snapshot, Satellites may have shown more. Outstanding replies, even if they
            // are only the residue of the last transaction, do not keep other sessions from reading on Satellites.
            return (block.hasSnapshot() && !TransactionEnds.endsAmid(unit.statements))
                    || visibility.masterShowsEnough();
        }
        return satellite.place(access);
    }

    /** The outstanding messages may have ended the failed state of the block, and the placement depends on it. */
    private boolean knowsWhetherRecovered() {
        if (exchange.isDrained()) {
            exchange.recovered((byte) (block.isOpen() ? 'T' : 'I'));
            return true;
        }
        return engine.awaitReplies();
    }
}
