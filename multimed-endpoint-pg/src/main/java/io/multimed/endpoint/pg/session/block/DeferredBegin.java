package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction block that is open for the client and that no engine knows. Its BEGIN came alone, or its reads were transactions of
 * their own ({@link AutocommitRead}), or it has left or lost the Satellite on which it had begun. The engine of the next connection
 * is sent its BEGIN first, unless the next unit is such a transaction too.
 */
public final class DeferredBegin {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Instructions instructions;
    private final BlockTimeouts timeouts;
    /** The client's BEGIN, which has not been sent to an engine; null if there is none. */
    private Statement.@Nullable Begin begin;
    /** The present characteristics of a block that an engine knew before; null if none did. */
    private @Nullable BlockCourse beginAnew;
    /** Whether the block has failed in the meantime. */
    private boolean failed;
    /**
     * The error for the next unit, because the block has lost its state on a Satellite and the client does not know yet; null if
     * there is none.
     */
    private @Nullable ErrorFields lost;

    public DeferredBegin(Exchange exchange, TransactionBlock block, Instructions instructions, BlockTimeouts timeouts) {
        this.exchange = exchange;
        this.block = block;
        this.instructions = instructions;
        this.timeouts = timeouts;
    }

    /** Whether there is such a block. Nothing in it has had an effect yet. */
    public boolean isOpen() {
        return !exchange.isBound() && block.isOpen();
    }

    /** Whether nothing of a block, open or lost, is left for an engine or the client. */
    public boolean isIdle() {
        return begin == null && beginAnew == null && !failed && lost == null;
    }

    /** Whether it began on a Satellite and has to go on on the Master. */
    public boolean needsMaster() {
        return beginAnew != null;
    }

    /** Whether the open block has only executed queries, so that an engine needs nothing besides its BEGIN. */
    boolean isAsBegun() {
        return block.isOpen() && begin != null && beginAnew == null && !failed;
    }

    /** Whether the client's BEGIN, which no engine has been sent, does not say whether the block is READ ONLY. */
    boolean isUndeclared() {
        return begin != null && begin.readOnly().isEmpty();
    }

    /** The status of the transaction as the client knows it. */
    public byte status() {
        return (exchange.isBound() && !exchange.isOwnTransaction()) || !block.isOpen()
                ? exchange.status()
                : (byte) (failed ? 'E' : 'T');
    }

    /** Records the client's BEGIN, which has been answered. The engine is sent it together with the first statement behind it. */
    public void begin(Statement.Begin statement) {
        begin = statement;
        timeouts.begin();
    }

    /**
     * Notes that a unit has been sent as a transaction of its own. The first of its statements, if there are any, may be the BEGIN.
     */
    public void staysUntold(List<Statement> statements) {
        if (!statements.isEmpty() && statements.getFirst() instanceof Statement.Begin statement) {
            begin(statement);
        }
        timeouts.busy();
    }

    /** Begins the open block anew on the Master, because it was lost with its Satellite or leaves it. */
    public void beginAnew() {
        beginAnew = block.course();
        timeouts.begin();
    }

    /** Begins a failed block anew on the Master. The next unit is to end it. */
    public void beginAnewFailed() {
        beginAnew();
        failed = true;
    }

    /** Notes that a unit failed while the session had no connection. Its block, if one is open, has failed with it. */
    public void fail() {
        failed = block.isOpen();
        if (failed) {
            timeouts.idle();
        } else {
            // The failed unit was to end the block.
            beginAnew = null;
            timeouts.end();
        }
    }

    /**
     * Notes that the block's snapshot, or a cursor or portal, is gone with its Satellite. The next unit fails, unless it rolls back
     * the whole block.
     */
    public void lose(ErrorFields why) {
        lost = why;
        block.loseSavepoints();
    }

    /** Whether the client has not yet been sent the error that its block is lost. */
    public boolean isLost() {
        return lost != null;
    }

    /** The error with which these statements fail unsent; null if they do not fail. */
    public @Nullable ErrorFields lostFor(List<Statement> statements) {
        boolean undoes = !statements.isEmpty() && statements.getFirst() instanceof Statement.Rollback;
        return undoes ? null : lost;
    }

    /**
     * Notes that the client is sent the error in answer to these statements.
     *
     * @return whether they have ended the block all the same
     */
    public boolean tellsLost(List<Statement> statements) {
        lost = null;
        return !statements.isEmpty() && statements.getFirst().endsTransaction();
    }

    /** Notes that the unit was lost with its Satellite and has failed, together with the block. */
    public void failLost() {
        block.loseSavepoints();
        fail();
    }

    /** Notes that a unit within the block was answered without sending the block to an engine. */
    public void answered() {
        if (isOpen()) {
            timeouts.idle();
        }
    }

    /** Forgets the block, which is over, without sending it to an engine. */
    public void forget() {
        lost = null;
        begin = null;
        beginAnew = null;
        failed = false;
        timeouts.end();
        block.idle();
    }

    /** Sends the block to the engine of the session's new connection, before any unit. */
    public void tell() {
        if (isIdle()) {
            return;
        }
        lost = null;
        if (begin != null) {
            // After queries, the engine must refuse statements that have to precede any query, so the SQL then includes
            // a query.
            instructions.send(block.hasSnapshot() ? block.course().sql() : begin.sql(), Note.INTERNAL);
        } else if (beginAnew != null) {
            // A failed block changes no settings, and one of its settings may be the cause of the failure.
            BlockCourse course = failed ? beginAnew.withoutSettings() : beginAnew;
            instructions.send(course.sql(), Note.INTERNAL);
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
