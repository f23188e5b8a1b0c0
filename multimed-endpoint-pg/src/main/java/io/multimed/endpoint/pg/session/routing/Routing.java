package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the connection on which a session's next unit may run: on a Satellite that is fresh enough, or on the Master
 * once that shows what Satellites have shown.
 *
 * <p>{@link #place} answers false while something has to be waited for; it is then called again, for the same unit, when
 * that has come.
 */
public final class Routing {
    private final LoopContext loop;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Instructions instructions;
    private final AwaitingEngine engine;
    private final SessionVariables variables;
    private final Unit unit;
    private final Admission admission;
    private final AwaitingFreshness freshness;
    private final AwaitingVisibility visibility;
    private final BackendCheckout checkout;
    /** Kept, since it is asked for every unit. */
    private final Predicate<String> shownAlike;

    private @Nullable ErrorFields refusal;

    Routing(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            SessionVariables variables,
            Unit unit,
            AwaitingFreshness freshness,
            AwaitingVisibility visibility,
            BackendCheckout checkout) {
        loop = session.loop();
        exchange = parts.exchange();
        block = blocks.block();
        deferred = blocks.deferred();
        instructions = parts.instructions();
        engine = parts.engine();
        this.variables = variables;
        this.unit = unit;
        admission = unit.admission();
        this.freshness = freshness;
        this.visibility = visibility;
        this.checkout = checkout;
        shownAlike = new ShownSettings(variables, block, loop.options().nodes().settings())::isAlike;
    }

    /** Where the latest transaction was placed, and why. */
    public String route() {
        return checkout.route();
    }

    /** Why the unit that was placed last must be refused all the same; asked once. */
    public @Nullable ErrorFields takeRefusal() {
        ErrorFields answer = refusal;
        refusal = null;
        return answer;
    }

    /** Binds the session to a connection on which the unit may run now. @return false when it has to wait */
    public boolean place() {
        admission.arrive(loop.nanoTime());
        Access access = access();
        if (!exchange.isBound()) {
            return placeUnbound(access);
        }
        if (!engine.takesMore()) {
            return false;
        }
        if (exchange.isOwnTransaction()) {
            // Only when what was sent is over it is known whether the block has failed.
            if (unit.suitsOwnTransaction && !exchange.onlyInternal()) {
                return engine.awaitReplies();
            }
            // The Satellite may have been made anew while the unit waited for this connection.
            if (unit.suitsOwnTransaction
                    && admission.isCoveredBy(exchange.bound().node())) {
                return true;
            }
            // Or what it is was found out anew meanwhile.
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            release();
            return placeUnbound(access);
        }
        if (exchange.isIgnored() || unit.stopped() != null) {
            // It is executed nowhere.
            return true;
        }
        if (exchange.isRecovering() && !knowsWhetherRecovered()) {
            return false;
        }
        if (exchange.onMaster()) {
            boolean read = access.isRead() || access == Access.CHOSEN;
            if (read
                    && !block.isOpen()
                    && !exchange.isDrained()
                    && exchange.onlyInternal()
                    && !checkout.hasServedUnit()) {
                // The Master is only asked what the last transaction left behind: then a Satellite may take the read,
                // and the route of one that is to stay here is its own.
                return engine.awaitReplies();
            }
            // Between BEGIN and the first snapshot Satellites may have shown more; and what is outstanding here, be it
            // only the question what the last transaction left behind, does not stop others from reading on them.
            return block.hasSnapshot() && !TransactionBlock.endsAmid(unit.statements) || visibility.masterShowsEnough();
        }
        return placeOnBoundSatellite(access);
    }

    private Access access() {
        Access access =
                AccessRules.of(unit.statements, block, variables.defaults(), deferred.status() == 'E', shownAlike);
        boolean inBlockSomewhere = exchange.isBound() && block.isOpen();
        return access.isRead() && variables.readsOnMaster() && !inBlockSomewhere ? Access.CHOSEN : access;
    }

    /** What is outstanding may have ended that the block has failed: all goes by whether it has. */
    private boolean knowsWhetherRecovered() {
        if (exchange.isDrained()) {
            exchange.recovered((byte) (block.isOpen() ? 'T' : 'I'));
            return true;
        }
        return engine.awaitReplies();
    }

    private boolean placeUnbound(Access access) {
        Reason reason = access.masterReason();
        if (reason == null && admission.masterReason() == null && !deferred.needsMaster()) {
            switch (admission.placeRead(loop.nanoTime(), freshness.patienceNanos())) {
                case Placement.OnSatellite(var node) -> {
                    return checkout.acquire(node, Reason.FRESH_SATELLITE, access.because());
                }
                case Placement.AwaitFreshness ignored -> {
                    return freshness.await() && place();
                }
                case Placement.OnMaster ignored -> {}
            }
        }
        if (!visibility.masterShowsEnough()) {
            return false;
        }
        Reason why = Objects.requireNonNullElse(
                reason, Objects.requireNonNullElse(admission.masterReason(), Reason.RETRIED));
        return checkout.acquire(loop.nodes().master(), why, access.because());
    }

    private boolean placeOnBoundSatellite(Access access) {
        ComputationalNode node = exchange.bound().node();
        if (!exchange.isDrained() && TransactionBlock.chains(unit.statements)) {
            // What it chains depends on whether the block has failed.
            return engine.awaitReplies();
        }
        if (exchange.status() == 'E') {
            if (preparesTransaction()) {
                // To the Master it is a ROLLBACK then; a standby refuses it.
                return exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies();
            }
            if (unit.statements.size() <= 1 || !TransactionBlock.mayLeaveFailure(unit.statements)) {
                return true;
            }
            if (!(unit.statements.getFirst() instanceof Statement.RollbackTo)) {
                return access.isRead() && admission.isCoveredBy(node)
                        || (exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies());
            }
        }
        if (!block.isOpen()) {
            if (exchange.isAskedForResidue()) {
                // It may have to be asked once more, which must not happen amid the next transaction.
                return engine.awaitReplies();
            }
            if (access.isRead() && admission.isCoveredBy(node) && admission.masterReason() == null) {
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
                return engine.awaitReplies();
            }
            release();
            return placeUnbound(access);
        }
        if (!access.isRead()) {
            return exchange.isDrained() ? moveToMaster(access) : engine.awaitReplies();
        }
        if (!block.takesNewSnapshot() || !takesSnapshot(unit.statements) || admission.isCoveredBy(node)) {
            if (!exchange.isDrained()) {
                exchange.stopHolding();
            }
            return true;
        }
        if (!exchange.isDrained()) {
            return engine.awaitReplies();
        }
        if (!admission.hasWaited(loop.nanoTime(), freshness.patienceNanos())) {
            return freshness.await() && place();
        }
        admission.awaitedInVain(node);
        return moveToMaster(access);
    }

    private boolean preparesTransaction() {
        return unit.statements.size() == 1 && unit.statements.getFirst() instanceof Statement.PrepareTransaction;
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
        deferred.beginAnew();
        return placeUnbound(access);
    }

    /** The block has failed on a Satellite; what follows its end in the same unit is for the Master, which gets a failed block. */
    private boolean failOnMaster(Access access) {
        leaveSatellite();
        deferred.beginAnew();
        deferred.fail();
        return placeUnbound(access);
    }

    /** Gives the connection back, between transactions. */
    public void release() {
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
    public void abandon() {
        freshness.abandon();
        checkout.abandon();
    }
}
