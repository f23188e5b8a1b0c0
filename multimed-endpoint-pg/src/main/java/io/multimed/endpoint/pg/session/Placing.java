package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.EndpointTimeouts;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the connection on which a session's next unit may run: on a Satellite that is fresh enough, or on the Master
 * once that shows what Satellites have shown.
 *
 * <p>{@link #place} answers false while something has to be waited for; it is then called again, for the same unit, when
 * that has come.
 */
final class Placing {
    private static final int RETRY_MASTER_MILLIS = 50;
    /** A snapshot taken twice in a row is nearly always enough; a commit that hangs must not be asked for at full speed. */
    private static final int SNAPSHOTS_WITHOUT_PAUSE = 4;

    /** Put into words only when somebody asks. */
    private record Route(ComputationalNode node, Reason reason, String because) {
        @Override
        public String toString() {
            String told = node.id().name() + ": " + reason.text();
            return reason == Reason.FRESH_SATELLITE || because.equals(reason.text())
                    ? told
                    : told + " (" + because + ")";
        }
    }

    private final LoopContext loop;
    private final Session session;
    private final PoolKey key;
    private final int processId;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final UntoldBlock untold;
    private final Instructions instructions;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Unit unit;
    private final SequenceState sequences;
    private @Nullable Route route;
    private @Nullable ComputationalNode acquiring;
    private @Nullable Reason acquiringFor;
    private @Nullable ErrorFields refusal;

    Placing(
            LoopContext loop,
            Session session,
            PoolKey key,
            int processId,
            Exchange exchange,
            TransactionBlock block,
            UntoldBlock untold,
            Instructions instructions,
            SessionVariables variables,
            Waiting waiting,
            Unit unit,
            SequenceState sequences) {
        this.sequences = sequences;
        this.loop = loop;
        this.session = session;
        this.key = key;
        this.processId = processId;
        this.exchange = exchange;
        this.block = block;
        this.untold = untold;
        this.instructions = instructions;
        this.variables = variables;
        this.waiting = waiting;
        this.unit = unit;
    }

    /** Where the latest transaction was placed, and why. */
    String route() {
        return route == null ? "none yet" : route.toString();
    }

    /** Why the unit that was placed last must be refused all the same; asked once. */
    @Nullable
    ErrorFields takeRefusal() {
        ErrorFields answer = refusal;
        refusal = null;
        return answer;
    }

    /** Binds the session to a connection on which the unit may run now. @return false when it has to wait */
    boolean place() {
        unit.arrived(loop.nanoTime());
        Access access = AccessRules.of(unit.statements, block, variables.defaults());
        if (!exchange.isBound()) {
            return placeUnbound(access);
        }
        if (!writableEngine()) {
            return false;
        }
        if (exchange.isIgnored() || unit.cancelled) {
            // It is executed nowhere.
            return true;
        }
        if (exchange.onMaster()) {
            if (access.isRead() && !block.isOpen() && !exchange.isDrained() && exchange.onlyInternal()) {
                // The Master is only asked what the last transaction left behind: then a Satellite may take the read.
                return awaitReplies();
            }
            // Between BEGIN and the first snapshot Satellites may have shown more; and what is outstanding here, be it
            // only the question what the last transaction left behind, does not stop others from reading on them.
            return block.hasSnapshot() || masterShowsEnough();
        }
        return placeOnBoundSatellite(access);
    }

    private boolean placeUnbound(Access access) {
        Reason reason = access.masterReason();
        if (reason == null && unit.masterReason == null && !untold.needsMaster()) {
            if (unit.required == Unit.NOT_ASKED) {
                unit.required = requiredNow();
            }
            Placement placement = loop.services().placer().place(unit.required, loop.nodes());
            switch (placement) {
                case Placement.OnSatellite(var node) -> {
                    return acquire(node, Reason.FRESH_SATELLITE, access.because());
                }
                case Placement.AwaitFreshness ignored -> {
                    if (!patienceOver()) {
                        return awaitFreshness();
                    }
                    Dispatcher.awaitedInVain(unit.required, loop.nodes());
                    unit.masterReason = Reason.WAIT_EXPIRED;
                }
                case Placement.OnMaster(var why) -> unit.masterReason = why;
            }
        }
        if (!masterShowsEnough()) {
            return false;
        }
        Reason why = reason != null ? reason : unit.masterReason != null ? unit.masterReason : Reason.RETRIED;
        return acquire(loop.nodes().master(), why, access.because());
    }

    private boolean placeOnBoundSatellite(Access access) {
        if (exchange.status() == 'E') {
            return true;
        }
        ComputationalNode node = exchange.bound().node();
        if (!block.isOpen()) {
            if (exchange.isAskedForResidue()) {
                // It may have to be asked once more, which must not happen amid the next transaction.
                return awaitReplies();
            }
            if (access.isRead() && isFresh(node) && unit.masterReason == null) {
                if (!exchange.isDrained()) {
                    exchange.stopHolding();
                }
                return true;
            }
            if (exchange.isUnsynced()) {
                // Only then the engine tells that the transaction is over, and it is asked what that left behind.
                instructions.synchronise();
            }
            if (!exchange.isDrained()) {
                return awaitReplies();
            }
            release();
            return placeUnbound(access);
        }
        if (!access.isRead()) {
            return exchange.isDrained() ? moveToMaster(access) : awaitReplies();
        }
        if (!block.takesNewSnapshot() || !takesSnapshot(unit.statements) || isFresh(node)) {
            if (!exchange.isDrained()) {
                exchange.stopHolding();
            }
            return true;
        }
        if (!exchange.isDrained()) {
            return awaitReplies();
        }
        if (!patienceOver()) {
            return awaitFreshness();
        }
        node.awaitedInVain(unit.required);
        unit.masterReason = Reason.WAIT_EXPIRED;
        return moveToMaster(access);
    }

    private boolean isFresh(ComputationalNode node) {
        if (unit.required == Unit.NOT_ASKED) {
            unit.required = requiredNow();
        }
        return unit.required >= 0 && node.serving() && node.applied() >= unit.required;
    }

    private long requiredNow() {
        return variables
                .freshness()
                .required(loop.services().log(), loop.services().floorHistory(), unit.arrivedNanos);
    }

    /** Whether any of them sees something anew; a cursor sees what it saw when it was declared. */
    private static boolean takesSnapshot(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            switch (statements.get(i)) {
                case Statement.Fetch ignored -> {}
                case Statement.CloseCursor ignored -> {}
                case Statement.Savepoint ignored -> {}
                case Statement.RollbackTo ignored -> {}
                case Statement.Release ignored -> {}
                case Statement.Commit ignored -> {}
                case Statement.Rollback ignored -> {}
                case Statement.Empty ignored -> {}
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean patienceOver() {
        return loop.nanoTime() - unit.arrivedNanos >= patienceNanos();
    }

    /** How long to wait for a fresh Satellite: a block that cannot begin anew on the Master has no other choice. */
    private long patienceNanos() {
        boolean stays = exchange.isBound() && block.isOpen() && !block.isMovable();
        EndpointTimeouts timeouts = loop.options().timeouts();
        return (stays ? timeouts.master() : timeouts.freshness()).toNanos();
    }

    /** The block began on a Satellite, and now needs the Master: it begins anew there if nobody can notice. */
    private boolean moveToMaster(Access access) {
        if (!block.isMovable()) {
            refusal = ErrorFields.error(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "cannot execute on a satellite within this transaction: " + access.because())
                    .withDetail("The transaction is bound to a satellite by its snapshot, cursors or savepoints.")
                    .withHint("Begin the transaction READ WRITE, so that the master executes all of it.");
            return true;
        }
        leaveSatellite();
        untold.beginAnew();
        return placeUnbound(access);
    }

    /**
     * Whether the Master shows all that Satellites had shown to anyone when the unit arrived. If not, it is asked for a
     * snapshot, again and again: a commit becomes visible there a moment after the relay has confirmed it.
     */
    private boolean masterShowsEnough() {
        MasterVisibility visibility = loop.services().visibility();
        if (unit.mustShow == Unit.NOT_ASKED) {
            unit.mustShow = visibility.shown();
        }
        if (visibility.masterShows(unit.mustShow)) {
            return true;
        }
        if (loop.nanoTime() - unit.arrivedNanos
                >= loop.options().timeouts().master().toNanos()) {
            session.fail(ErrorFields.fatal(
                    SqlState.CANNOT_CONNECT_NOW, "the master does not show what satellites have shown already"));
            return false;
        }
        waiting.begin(Wait.VISIBILITY);
        loop.counters().waitedForVisibility();
        loop.services().probe().accept(() -> loop.loop().execute(this::masterWasAsked));
        return false;
    }

    private void masterWasAsked() {
        if (!waiting.is(Wait.VISIBILITY)) {
            // On behalf of a unit that was cancelled.
            return;
        }
        unit.timesAsked++;
        if (unit.timesAsked <= SNAPSHOTS_WITHOUT_PAUSE) {
            session.resume(Wait.VISIBILITY);
        } else {
            waiting.alarmIn(1, () -> session.resume(Wait.VISIBILITY));
        }
    }

    private boolean acquire(ComputationalNode node, Reason reason, String because) {
        route = new Route(node, reason, because);
        acquiring = node;
        acquiringFor = reason;
        node.transactionBegan();
        // Before asking, since the answer may come at once.
        waiting.begin(Wait.CONNECTION);
        BackendConnection connection = loop.backends().of(node).acquire(key, exchange);
        if (connection == null) {
            return false;
        }
        bind(connection);
        waiting.end();
        return true;
    }

    /** Whether the unit that waits for a connection may be sent on this one, behind what others have sent. */
    boolean mayFollow(BackendConnection connection) {
        return unit.isBrief
                && !unit.cancelled
                && !block.isOpen()
                && connection.settings().equals(variables.settings())
                && unit.isPreparedOn(connection.prepared());
    }

    void acquired(BackendConnection connection) {
        bind(connection);
        session.resume(Wait.CONNECTION);
        if (exchange.backend() == connection && !connection.isHeardBy(exchange) && exchange.isDrained()) {
            // Behind others is no place to wait for something else, as the statement to be looked at once more.
            release();
        }
    }

    private void bind(BackendConnection connection) {
        acquiring = null;
        Reason reason = acquiringFor;
        if (reason != null) {
            loop.counters().placed(reason);
        }
        exchange.bind(connection);
        sequences.bound(connection.serve(processId));
        loop.processIds().serves(connection.processId(), processId);
        instructions.settings(variables.settings());
        untold.tell();
    }

    void notAcquired(@Nullable ErrorFields error) {
        ComputationalNode node = acquiring;
        acquiring = null;
        if (node != null) {
            node.transactionEnded();
        }
        if (node != null && node.role() == Role.SATELLITE) {
            unit.masterReason = Reason.RETRIED;
            session.resume(Wait.CONNECTION);
            return;
        }
        if (error != null && !isPassing(error)) {
            session.fail(error);
            return;
        }
        if (loop.nanoTime() - unit.arrivedNanos
                >= loop.options().timeouts().master().toNanos()) {
            session.fail(
                    error != null
                            ? error
                            : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
            return;
        }
        waiting.begin(Wait.RETRY);
        waiting.alarmIn(RETRY_MASTER_MILLIS, () -> session.resume(Wait.RETRY));
    }

    /** Whether the Master, given a moment, may answer otherwise. */
    private static boolean isPassing(ErrorFields error) {
        return switch (error.sqlState()) {
            case SqlState.CANNOT_CONNECT_NOW, SqlState.ADMIN_SHUTDOWN, SqlState.CRASH_SHUTDOWN -> true;
            default -> false;
        };
    }

    private boolean awaitFreshness() {
        waiting.begin(Wait.FRESHNESS);
        loop.awaitFreshness(session);
        // Looked at once more now that a wake-up is sure to come: it may have become fresh in between.
        if (freshEnoughNow()) {
            loop.stopAwaitingFreshness(session);
            waiting.end();
            return place();
        }
        long left = patienceNanos() - (loop.nanoTime() - unit.arrivedNanos);
        waiting.alarmIn(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1), this::freshnessMayHaveChanged);
        return false;
    }

    private boolean freshEnoughNow() {
        if (exchange.isBound()) {
            return isFresh(exchange.bound().node());
        }
        return !(loop.services().placer().place(unit.required, loop.nodes()) instanceof Placement.AwaitFreshness);
    }

    void freshnessMayHaveChanged() {
        if (waiting.is(Wait.FRESHNESS) && (freshEnoughNow() || patienceOver())) {
            loop.stopAwaitingFreshness(session);
            loop.counters().waitedForFreshness(loop.nanoTime() - unit.arrivedNanos);
            session.resume(Wait.FRESHNESS);
        }
    }

    boolean awaitReplies() {
        return waiting.begin(Wait.REPLIES);
    }

    boolean writableEngine() {
        BackendConnection backend = exchange.bound();
        if (backend.isWritable()) {
            return true;
        }
        waiting.begin(Wait.ENGINE_WRITABLE);
        backend.withdrawOffer();
        backend.onWritable(() -> session.resume(Wait.ENGINE_WRITABLE));
        return false;
    }

    /** Gives the connection back, between transactions. */
    void release() {
        exchange.leave();
    }

    /** Ends what runs on the Satellite without waiting for it. */
    void leaveSatellite() {
        if (exchange.status() == 'I' && !exchange.isUnsynced()) {
            release();
            return;
        }
        BackendConnection satellite = exchange.unbind();
        satellite.node().transactionEnded();
        new RollBackAndRelease(satellite).start();
    }

    /** Nothing is waited for any more: the session ends, or its unit is cancelled or goes elsewhere. */
    void abandon() {
        loop.stopAwaitingFreshness(session);
        ComputationalNode asked = acquiring;
        if (asked != null) {
            loop.backends().of(asked).forget(exchange);
            asked.transactionEnded();
            acquiring = null;
        }
    }
}
