package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.SequenceState;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** The sending of units, whatever their messages are: all parts of the session are notified of the statements sent. */
public final class Sending {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final Unit unit;
    private final SequenceState sequences;
    private final ClientStatements prepared;
    private final BackendPinning pinning;
    private final OneSnapshot oneSnapshot;
    private final Notifications notifications;

    /** Whether other sessions may send their units behind it. */
    private boolean sharing;

    public Sending(
            Exchange exchange,
            Unit unit,
            TransactionBlock block,
            DeferredBegin deferred,
            SessionVariables variables,
            ClientStatements prepared,
            SequenceState sequences,
            BackendPinning pinning,
            Notifications notifications,
            OneSnapshot oneSnapshot) {
        this.exchange = exchange;
        this.unit = unit;
        this.block = block;
        this.deferred = deferred;
        this.variables = variables;
        this.prepared = prepared;
        this.sequences = sequences;
        this.pinning = pinning;
        this.notifications = notifications;
        this.oneSnapshot = oneSnapshot;
    }

    /** Notes that the unit, a Query, is sent to the engine. Its change of name resolution applies from then on. */
    void querySent() {
        sent();
        variables.names().takesEffect();
    }

    /** Notifies all parts of the session that the unit is sent to the engine, or answered as if it were. */
    void sent() {
        sent(exchange.isOwnTransaction());
    }

    /** Notifies all parts of the session that the unit, which reads, is answered with another session's reply. */
    void answeredAlike() {
        sent(unit.suitsOwnTransaction());
    }

    private void sent(boolean own) {
        List<Statement> statements = unit.statements();
        if (exchange.status() == 'E' && TransactionEnds.mayLeaveFailure(statements)) {
            exchange.blockMayRecover();
        }
        sharing = unit.isBrief() && (!block.isOpen() || own) && !exchange.onMaster();
        prepared.unitBegins();
        BackendConnection connection = exchange.backend();
        if (connection != null) {
            sequences.sent(connection, statements);
        }
        pinning.sent(statements);
        notifications.sent(statements);
        variables.sent(statements, block.isOpen());
        if (connection != null) {
            connection.mayHold(variables.placeholders().marking());
        }
        block.sent(statements, variables.defaults(), exchange.status() == 'E');
        if (own) {
            deferred.staysUntold(statements);
        }
        oneSnapshot.sent();
        unit.sent();
    }

    /** Notes that messages which nobody has examined are going to be sent to the engine behind the unit. */
    void sentUnexamined() {
        List<Statement> anything = ClassifiedSql.UNPARSED.statements();
        pinning.sent(anything);
        notifications.sent(anything);
    }

    /** Notes that the last message of the unit has been sent, or the failing message in its place. */
    void unitEnds() {
        if (block.isOpen()) {
            exchange.unitEndsInBlock();
        }
    }

    /**
     * Notes that the whole unit has been sent. Other sessions may send theirs behind it, unless the client has sent more already.
     */
    void sentAll(ByteBuf in) {
        exchange.sentAll(sharing && !in.isReadable() && !pinning.isPinned() && !pinning.hasToAsk());
        unitEnds();
    }
}
