package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A transaction block that is open for the client and of which no engine knows: its BEGIN came by itself, or it has left
 * or lost the Satellite on which it had begun. The engine that the session is given next is told of it first.
 */
final class UntoldBlock {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Instructions instructions;
    private final BlockTimeouts timeouts;
    /** The client's BEGIN, which no engine has been told. */
    private Statement.@Nullable Begin begin;
    /** An engine was told before: what the block has become since. */
    private @Nullable String beginAnew;
    /** It has failed meanwhile. */
    private boolean failed;

    UntoldBlock(Exchange exchange, TransactionBlock block, Instructions instructions, BlockTimeouts timeouts) {
        this.exchange = exchange;
        this.block = block;
        this.instructions = instructions;
        this.timeouts = timeouts;
    }

    /** Whether there is such a block; nothing of it has any effect yet. */
    boolean isOpen() {
        return !exchange.isBound() && block.isOpen();
    }

    /** Whether it began on a Satellite and has to go on on the Master. */
    boolean needsMaster() {
        return beginAnew != null;
    }

    /** The status of the transaction as the client knows it. */
    byte status() {
        return exchange.isBound() || !block.isOpen() ? exchange.status() : (byte) (failed ? 'E' : 'T');
    }

    /** The client's BEGIN has been answered: the engine is told together with the first statement behind it. */
    void begin(Statement.Begin statement) {
        begin = statement;
        timeouts.begin();
    }

    /** The open block was lost with its Satellite, or leaves it: it begins anew on the Master. */
    void beginAnew() {
        beginAnew = block.course().sql();
        timeouts.begin();
    }

    /** A unit came to nothing while the session had no connection: its block, if one is open, has failed with it. */
    void fail() {
        failed = block.isOpen();
        if (failed) {
            timeouts.idle();
        } else {
            // What came to nothing was to end it.
            beginAnew = null;
            timeouts.end();
        }
    }

    /** Something was answered within it without an engine. */
    void answered() {
        if (isOpen()) {
            timeouts.idle();
        }
    }

    /** It is over, and no engine need be told. */
    void forget() {
        begin = null;
        beginAnew = null;
        failed = false;
        timeouts.end();
        block.idle();
    }

    /** The session has been given a connection, whose engine is told first. */
    void tell() {
        if (begin != null) {
            instructions.send(begin.sql(), Note.INTERNAL);
        } else if (beginAnew != null) {
            instructions.send(beginAnew, Note.INTERNAL);
        }
        begin = null;
        beginAnew = null;
        if (failed) {
            instructions.send(Failing.SQL, Note.INTERNAL_FAILURE);
            exchange.blockFails();
            failed = false;
        }
        timeouts.end();
    }
}
