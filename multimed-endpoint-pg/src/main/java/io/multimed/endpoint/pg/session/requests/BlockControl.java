package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.TransactionScope;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;

/** Begins transaction blocks without an engine, and ends those that no engine knows. */
public final class BlockControl {
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final TransactionScope scope;
    private final Unit unit;
    private final ClientStatements prepared;
    private final Notifications notifications;

    public BlockControl(
            ClientLink client,
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            TransactionScope scope,
            Unit unit,
            ClientStatements prepared,
            Notifications notifications) {
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.scope = scope;
        this.unit = unit;
        this.prepared = prepared;
        this.notifications = notifications;
    }

    /** Whether the unit is the begin of a block, or the end of a block that no engine knows. */
    boolean takes() {
        if (exchange.isBound() || unit.statements().size() != 1) {
            return false;
        }
        return switch (unit.statements().getFirst()) {
            case Statement.Begin ignored -> !block.isOpen();
            case Statement.Commit commit -> block.isOpen() && !commit.chain() && !deferred.isLost();
            case Statement.Rollback rollback -> block.isOpen() && !rollback.chain();
            default -> false;
        };
    }

    /** Whether the open block has failed. */
    boolean hasFailed() {
        return deferred.status() == 'E';
    }

    /**
     * Executes such a statement and notifies all parts of the session.
     *
     * @param failed whether the block that it ends has failed
     * @return the tag of its CommandComplete
     */
    String execute(Statement statement, boolean failed) {
        if (statement instanceof Statement.Begin begin) {
            // The BEGIN is sent to the engine together with the first statement behind it. That saves a round trip, and
            // the session holds no connection while the client is idle.
            deferred.begin(begin);
            return begin.tag();
        }
        // A session that gave up waiting for an engine need not wait for one again.
        deferred.forget();
        scope.ended(false);
        return statement instanceof Statement.Commit && !failed ? "COMMIT" : "ROLLBACK";
    }

    /** Executes such a statement and answers the Query message that contained it. */
    void answerQuery(Statement statement, boolean failed) {
        prepared.forgetUnnamed();
        String tag = execute(statement, failed);
        ByteBuf out = client.buffer(32);
        BackendMessages.commandComplete(out, tag);
        BackendMessages.readyForQuery(out, deferred.status());
        client.write(out);
        controlled();
    }

    /** Delivers notifications after the client has received the reply that a block has begun or ended. */
    void controlled() {
        notifications.tell();
    }
}
