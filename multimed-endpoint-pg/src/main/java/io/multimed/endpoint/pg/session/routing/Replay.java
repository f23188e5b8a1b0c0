package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.FatalNotice;
import io.multimed.endpoint.pg.session.exchange.Loss;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the unit that runs on a Satellite until it is sure that it need not run elsewhere. Also handles the loss of a backend: the
 * unit, and the block around it, begin anew on the Master if the client has seen nothing of them.
 */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Routing routing;
    private final DeferredBegin deferred;
    private final Pinning pinning;
    private final SatelliteLoss satellites;
    private @Nullable ByteBuf kept;
    private boolean inBlock;
    /** Whether the block had failed before the unit. */
    private boolean failed;
    /** The state of the block before the unit. */
    private TransactionBlock.Course before = TransactionBlock.Course.NONE;

    Replay(SessionContext session, Exchange exchange, BlockParts blocks, Routing routing, Pinning pinning) {
        loop = session.loop();
        owner = session.owner();
        client = session.client();
        this.exchange = exchange;
        block = blocks.block();
        deferred = blocks.deferred();
        this.routing = routing;
        this.pinning = pinning;
        satellites = new SatelliteLoss(client, exchange, block, deferred);
    }

    /** Keeps the unit at the head of {@code in}, which executes these statements and is about to be sent. */
    public void keep(ByteBuf in, int length, List<Statement> statements) {
        drop();
        if (exchange.onMaster() || length > loop.options().limits().unitBytes() || !exchange.onlyInternal()) {
            return;
        }
        failed = exchange.status() == 'E';
        boolean relies = block.isOpen() && !block.isMovable() || failed;
        if (relies && !rollsBack(statements) || exchange.isIgnored()) {
            return;
        }
        kept = client.buffer(length).writeBytes(in, in.readerIndex(), length);
        inBlock = block.isOpen();
        before = block.course();
        exchange.holdReplies();
    }

    /** Whether the statements end the block without effect, whatever part of it has been lost. */
    private boolean rollsBack(List<Statement> statements) {
        return statements.size() == 1
                && !TransactionBlock.chains(statements)
                && (statements.getFirst() instanceof Statement.Rollback
                        || failed && statements.getFirst() instanceof Statement.Commit);
    }

    /** Drops the kept unit, because it was answered. */
    public void drop() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    /** Whether the unit that was sent last is kept, so that it can be sent again. */
    public boolean holdsUnit() {
        return kept != null;
    }

    /** Whether what runs on the Satellite can still run elsewhere. */
    public boolean isPossible() {
        return !exchange.onMaster() && kept != null;
    }

    /** Executes the unit on the Master. A Satellite could not answer it, and the client has seen nothing of it. */
    public void elsewhere() {
        ByteBuf again = take();
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        routing.leaveSatellite();
        onMaster(again);
    }

    /** Puts the unit back into the input, to be sent again to any node. No reply to the first sending will be used. */
    public void again() {
        ByteBuf again = take();
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        goBack();
        client.unread(again);
    }

    /** Restores the state of the block before the unit. */
    private void goBack() {
        if (inBlock) {
            block.was(before);
        } else {
            deferred.forget();
        }
    }

    private @Nullable ByteBuf take() {
        ByteBuf taken = kept;
        kept = null;
        return taken;
    }

    private void onMaster(ByteBuf again) {
        goBack();
        if (inBlock && failed) {
            deferred.beginAnewFailed();
        } else if (inBlock) {
            deferred.beginAnew();
        }
        client.unread(again);
        owner.runAgain();
    }

    /** Whether the engine has ended the session by a timeout, which never happens during a commit. */
    private static boolean isTimeout(FatalNotice farewell) {
        return switch (farewell.error().sqlState()) {
            case SqlState.TRANSACTION_TIMEOUT, SqlState.IDLE_SESSION_TIMEOUT -> true;
            default -> false;
        };
    }

    /**
     * Handles the loss of the connection.
     *
     * @param begun whether a part of a segment has been sent and the rest is still to come
     */
    public void backendLost(Loss loss, boolean begun) {
        boolean onSatellite = loss.connection().node().role() == Role.SATELLITE;
        ByteBuf again = take();
        if (onSatellite && loss.unseen() && again != null && !begun) {
            exchange.dropUnanswered();
            onMaster(again);
            return;
        }
        if (again != null) {
            again.release();
        }
        FatalNotice farewell = loss.farewell();
        boolean told = farewell != null && farewell.told();
        if (onSatellite && !told && !loss.amidMessage() && pinning.isLeftKnown(block)) {
            satellites.tell(loss, begun);
            owner.goOnAfterLoss();
            return;
        }
        boolean interrupted = loss.interrupted();
        exchange.dropUnanswered();
        if (!interrupted && !begun && !block.isOpen() && !pinning.isPinned() && !pinning.isAsking()) {
            owner.goOnWithMaster();
            return;
        }
        boolean unknownOutcome =
                !onSatellite && interrupted && block.isCommitting() && !(farewell != null && isTimeout(farewell));
        if (loss.amidMessage()) {
            // The client would take an error message for a part of the row.
            LOG.warn(
                    "{} went away amid a row of a client; the client's connection is closed",
                    loss.connection().node().id());
            owner.end();
            client.close();
        } else if (farewell != null && farewell.told()) {
            owner.end();
            client.close();
        } else if (unknownOutcome) {
            owner.fail(ErrorFields.fatal(
                            SqlState.TRANSACTION_RESOLUTION_UNKNOWN,
                            "the master went away while it executed a transaction; its outcome is unknown")
                    .withHint("Look whether its changes are there before you repeat it."));
        } else if (farewell != null) {
            owner.fail(farewell.error());
        } else {
            owner.fail(ErrorFields.fatal(
                    SqlState.CRASH_SHUTDOWN,
                    "terminating connection because " + loss.connection().node().id() + " went away"));
        }
    }
}
