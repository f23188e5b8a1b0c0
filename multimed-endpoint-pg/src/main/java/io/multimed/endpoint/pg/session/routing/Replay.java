package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.BlockCourse;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the unit that runs on a Satellite until it is sure that it need not run elsewhere. The unit, and the block around it, can
 * begin anew on the Master if the client has seen nothing of them.
 */
public final class Replay {
    private final int mostBytes;
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private @Nullable ByteBuf kept;
    private boolean inBlock;
    /** Whether the block had failed before the unit. */
    private boolean failed;
    /** The state of the block before the unit. */
    private BlockCourse before = BlockCourse.NONE;

    /**
     * Creates the replay of a session's units.
     *
     * @param mostBytes length of the longest unit that is kept
     */
    public Replay(
            int mostBytes,
            SessionControl owner,
            ClientLink client,
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred) {
        this.mostBytes = mostBytes;
        this.owner = owner;
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
    }

    /** Keeps the unit at the head of {@code in}, which executes these statements and is about to be sent. */
    public void keep(ByteBuf in, int length, List<Statement> statements) {
        drop();
        if (exchange.onMaster() || length > mostBytes || !exchange.onlyInternal()) {
            return;
        }
        failed = exchange.status() == 'E';
        boolean relies = (block.isOpen() && !block.isMovable()) || failed;
        if ((relies && !rollsBack(statements)) || exchange.isIgnored()) {
            return;
        }
        kept = client.buffer(length).writeBytes(in, in.readerIndex(), length);
        inBlock = block.isOpen();
        before = block.course();
        exchange.holdReplies();
    }

    /** Keeps the plain read at the head of {@code in}, which is about to be sent to a Satellite outside a block. */
    public void keepRead(ByteBuf in, int length) {
        if (kept != null) {
            drop();
        }
        failed = false;
        kept = client.buffer(length).writeBytes(in, in.readerIndex(), length);
        inBlock = false;
    }

    /** Whether the statements end the block without effect, whatever part of it has been lost. */
    private boolean rollsBack(List<Statement> statements) {
        return statements.size() == 1
                && !TransactionEnds.chains(statements)
                && (statements.getFirst() instanceof Statement.Rollback
                        || (failed && statements.getFirst() instanceof Statement.Commit));
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
        requireUnit();
        RollBackAndRelease.leave(exchange);
        onMaster();
    }

    /** Executes the unit on the Master, after the connection on which it was sent is gone. */
    void onMaster() {
        ByteBuf again = goBack();
        if (inBlock && failed) {
            deferred.beginAnewFailed();
        } else if (inBlock) {
            deferred.beginAnew();
        }
        client.unread(again);
        owner.runAgain();
    }

    /** Puts the unit back into the input, to be sent again to any node. No reply to the first sending will be used. */
    public void again() {
        client.unread(goBack());
    }

    /**
     * Restores the state of the block before the unit.
     *
     * @return the unit, which is kept no longer
     */
    private ByteBuf goBack() {
        ByteBuf unit = requireUnit();
        kept = null;
        if (inBlock) {
            block.was(before);
        } else {
            deferred.forget();
        }
        return unit;
    }

    private ByteBuf requireUnit() {
        if (kept == null) {
            throw new IllegalStateException("nothing to run again");
        }
        return kept;
    }
}
