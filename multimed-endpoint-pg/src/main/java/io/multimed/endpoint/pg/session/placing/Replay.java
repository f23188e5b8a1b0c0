package io.multimed.endpoint.pg.session.placing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.UntoldBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Farewell;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the unit that runs on a Satellite until it is sure that it need not run elsewhere, and decides what a lost
 * backend means: the unit, and the block around it, begin anew on the Master when nobody has seen anything of them.
 */
public final class Replay {
    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Placing placing;
    private final UntoldBlock untold;
    private final Pinning pinning;
    private @Nullable ByteBuf kept;
    private boolean inBlock;
    /** What the block was. */
    private TransactionBlock.Course before = TransactionBlock.Course.NONE;

    Replay(SessionContext session, Exchange exchange, BlockParts blocks, Placing placing, Pinning pinning) {
        loop = session.loop();
        owner = session.owner();
        client = session.client();
        this.exchange = exchange;
        block = blocks.block();
        untold = blocks.untold();
        this.placing = placing;
        this.pinning = pinning;
    }

    /** The unit at the head of {@code in} is about to be sent. */
    public void keep(ByteBuf in, int length) {
        drop();
        if (exchange.onMaster() || length > loop.options().limits().unitBytes() || !exchange.onlyInternal()) {
            return;
        }
        if (block.isOpen() && !block.isMovable() || exchange.status() == 'E' || exchange.isIgnored()) {
            return;
        }
        kept = client.buffer(length).writeBytes(in, in.readerIndex(), length);
        inBlock = block.isOpen();
        before = block.course();
        exchange.holdReplies();
    }

    /** It was answered. */
    public void drop() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    /** Whether what runs on the Satellite can still run elsewhere. */
    public boolean isPossible() {
        return !exchange.onMaster() && kept != null;
    }

    /** A Satellite could not answer the unit and nothing of it was seen: the Master executes it. */
    public void elsewhere() {
        ByteBuf again = take();
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        placing.leaveSatellite();
        onMaster(again);
    }

    /** Nobody will hear what is answered to the unit: it is to be sent again, to whatever node. */
    public void again() {
        ByteBuf again = take();
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        goBack();
        client.unread(again);
    }

    /** The block is what it was before the unit. */
    private void goBack() {
        if (inBlock) {
            block.was(before);
        } else {
            untold.forget();
        }
    }

    private @Nullable ByteBuf take() {
        ByteBuf taken = kept;
        kept = null;
        return taken;
    }

    private void onMaster(ByteBuf again) {
        goBack();
        if (inBlock) {
            untold.beginAnew();
        }
        client.unread(again);
        owner.runAgain();
    }

    /**
     * The engine closed the connection.
     *
     * @param unseen nothing of the unit's answer has reached the client
     * @param interrupted the client waits for replies
     * @param begun it has been sent messages that belong to others still to come
     * @param blockFailed an error has aborted its transaction block
     * @param farewell what the engine said last, if anything
     */
    public void backendLost(
            BackendConnection lost,
            boolean unseen,
            boolean interrupted,
            boolean begun,
            boolean blockFailed,
            @Nullable Farewell farewell) {
        boolean onSatellite = lost.node().role() == Role.SATELLITE;
        ByteBuf again = take();
        if (onSatellite && unseen && again != null) {
            onMaster(again);
            return;
        }
        if (again != null) {
            again.release();
        }
        boolean nothingLost = !block.isOpen() || onSatellite && block.isMovable();
        if (!interrupted && !begun && nothingLost && !pinning.isPinned() && !pinning.isAsking()) {
            if (block.isOpen()) {
                untold.beginAnew();
                if (blockFailed) {
                    untold.fail();
                }
            }
            owner.goOnWithMaster();
            return;
        }
        boolean unknownOutcome = !onSatellite && interrupted && block.isCommitting();
        if (farewell != null && farewell.told()) {
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
                    "terminating connection because " + lost.node().id() + " went away"));
        }
    }
}
