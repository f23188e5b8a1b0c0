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
 * A transaction block that is open for the client and of which no engine knows: its BEGIN came by itself, what it has read
 * were transactions of their own ({@link AutocommitRead}), or it has left or lost the Satellite on which it had begun. The
 * engine that the session is given next is told of it first, unless what comes next is such a transaction too.
 */
public final class DeferredBegin {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Instructions instructions;
    private final BlockTimeouts timeouts;
    /** The client's BEGIN, which no engine has been told. */
    private Statement.@Nullable Begin begin;
    /** An engine was told before: what the block has become since. */
    private TransactionBlock.@Nullable Course beginAnew;
    /** It has failed meanwhile. */
    private boolean failed;
    /** Why what comes next fails: the block has lost what it had on its Satellite, and the client does not know. */
    private @Nullable ErrorFields lost;

    DeferredBegin(Exchange exchange, TransactionBlock block, Instructions instructions, BlockTimeouts timeouts) {
        this.exchange = exchange;
        this.block = block;
        this.instructions = instructions;
        this.timeouts = timeouts;
    }

    /** Whether there is such a block; nothing of it has any effect yet. */
    public boolean isOpen() {
        return !exchange.isBound() && block.isOpen();
    }

    /** Whether it began on a Satellite and has to go on on the Master. */
    public boolean needsMaster() {
        return beginAnew != null;
    }

    /** Whether nothing has happened in the open block that an engine would have to be told with its BEGIN, but queries. */
    boolean isAsBegun() {
        return block.isOpen() && begin != null && beginAnew == null && !failed;
    }

    /** The status of the transaction as the client knows it. */
    public byte status() {
        return exchange.isBound() && !exchange.isOwnTransaction() || !block.isOpen()
                ? exchange.status()
                : (byte) (failed ? 'E' : 'T');
    }

    /** The client's BEGIN has been answered: the engine is told together with the first statement behind it. */
    public void begin(Statement.Begin statement) {
        begin = statement;
        timeouts.begin();
    }

    /** A unit has been sent that is a transaction of its own to its engine; the first of its statements, if it has any, may be the BEGIN. */
    public void staysUntold(List<Statement> statements) {
        if (!statements.isEmpty() && statements.getFirst() instanceof Statement.Begin statement) {
            begin(statement);
        }
        timeouts.busy();
    }

    /** The open block was lost with its Satellite, or leaves it: it begins anew on the Master. */
    public void beginAnew() {
        beginAnew = block.course();
        timeouts.begin();
    }

    /** The same, where it has failed, and what comes next is to end it. */
    public void beginAnewFailed() {
        beginAnew();
        failed = true;
    }

    /** A unit came to nothing while the session had no connection: its block, if one is open, has failed with it. */
    public void fail() {
        failed = block.isOpen();
        if (failed) {
            timeouts.idle();
        } else {
            // What came to nothing was to end it.
            beginAnew = null;
            timeouts.end();
        }
    }

    /** Its snapshot, or a cursor or portal, is gone with its Satellite: what comes next fails, unless that undoes all of it. */
    public void lose(ErrorFields why) {
        lost = why;
        block.loseSavepoints();
    }

    /** Whether the client has yet to hear that what it has begun is lost. */
    public boolean isLost() {
        return lost != null;
    }

    /** Why these statements fail unsent; null if they do not. */
    public @Nullable ErrorFields lostFor(List<Statement> statements) {
        boolean undoes = !statements.isEmpty() && statements.getFirst() instanceof Statement.Rollback;
        return undoes ? null : lost;
    }

    /** The client hears it as the answer to these statements. @return whether they have ended the block all the same */
    public boolean tellsLost(List<Statement> statements) {
        lost = null;
        return !statements.isEmpty() && statements.getFirst().endsTransaction();
    }

    /** The unit was lost with its Satellite and has failed, and so has the block. */
    public void failLost() {
        block.loseSavepoints();
        fail();
    }

    /** Something was answered within it, and no engine has been told of it. */
    public void answered() {
        if (isOpen()) {
            timeouts.idle();
        }
    }

    /** It is over, and no engine need be told. */
    public void forget() {
        lost = null;
        begin = null;
        beginAnew = null;
        failed = false;
        timeouts.end();
        block.idle();
    }

    /** The session has been given a connection, whose engine is told first. */
    public void tell() {
        lost = null;
        if (begin != null) {
            // Behind queries, what must come before any comes too late.
            instructions.send(block.hasSnapshot() ? block.course().sql() : begin.sql(), Note.INTERNAL);
        } else if (beginAnew != null) {
            // A failed block sets nothing, and one of its settings may be the reason.
            TransactionBlock.Course course = failed ? beginAnew.withoutSettings() : beginAnew;
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
