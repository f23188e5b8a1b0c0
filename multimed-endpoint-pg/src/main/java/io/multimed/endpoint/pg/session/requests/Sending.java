package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Deallocations;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.FreshPlans;
import io.multimed.endpoint.pg.session.routing.Pinning;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.SequenceState;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The actions around sending a unit, whatever its messages are. The engine is first sent what must precede the unit, and all parts
 * of the session are notified of the statements sent.
 */
final class Sending {
    private static final Note COPIES_IN = new Note(false, new Subject.CopiesIn());

    private final LoopContext loop;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final Unit unit;
    private final SequenceState sequences;
    private final ClientStatements prepared;
    private final SqlNames names;
    private final Routing routing;
    private final Instructions instructions;
    private final AwaitingEngine engine;
    private final Pinning pinning;
    private final FreshPlans plans;
    private final OneSnapshot oneSnapshot;
    private final Notifications notifications;
    private final UsedDatabases databases;
    private final ProcessNumbering numbering;

    /** The statements that were sent last. */
    private List<Statement> last = List.of();
    /** Whether other sessions may send their units behind it. */
    private boolean sharing;

    Sending(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            SessionVariables variables,
            Notifications notifications,
            UsedDatabases databases,
            ProcessNumbering numbering) {
        loop = session.loop();
        exchange = parts.exchange();
        instructions = parts.instructions();
        engine = parts.engine();
        block = blocks.block();
        deferred = blocks.deferred();
        oneSnapshot = blocks.oneSnapshot();
        this.variables = variables;
        unit = placed.unit();
        sequences = placed.sequences();
        routing = placed.routing();
        pinning = placed.pinning();
        plans = placed.plans();
        this.prepared = prepared.clients();
        names = prepared.names();
        this.notifications = notifications;
        this.databases = databases;
        this.numbering = numbering;
    }

    /** The statements that were sent last. */
    List<Statement> last() {
        return last;
    }

    /**
     * Places the unit and sends the engine what must precede it.
     *
     * @param asQuery whether it is a Query
     * @return false when it has to wait
     */
    boolean prepare(boolean asQuery) {
        if (notifications.awaitsOwn()) {
            return engine.awaitReplies();
        }
        if (!databases.areUnusedFor(unit.statements()) || !numbering.isReady()) {
            return false;
        }
        if (!routing.place() || !oneSnapshot.prepare(unit.statements()) || !plans.prepare(pinning.isPinned())) {
            return false;
        }
        if (numbering.isWanted() && instructions.mustWait()) {
            return engine.awaitReplies();
        }
        notifications.recallFor(unit.statements(), instructions);
        numbering.tell();
        names.lendFor(unit.statements(), asQuery);
        BackendConnection connection = exchange.backend();
        if (connection != null
                && sequences.mustForgetOthers(
                        connection, unit.statements(), pinning.isPinned() || exchange.status() == 'E')) {
            instructions.send("DISCARD SEQUENCES", Note.INTERNAL);
        }
        return true;
    }

    /** The effects of the unit's statements on the session once the engine has executed them. */
    Note whenExecuted() {
        return whenExecuted(unit.statements());
    }

    /** The effects of these statements of one message on the session, once the engine has executed them. */
    Note whenExecuted(List<Statement> statements) {
        Deallocations deallocations = null;
        boolean copiesIn = false;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            Runnable executed = switch (statement) {
                case Statement.Discard discard
                when discard.what() == Statement.Discard.What.ALL -> this::everythingDiscarded;
                case Statement.DatabaseCommand command
                when command.force() -> () -> loop.allClients().terminateInDatabase(command.database());
                case Statement.Deallocate deallocate -> () -> deallocated(deallocate.name());
                case Statement.Prepare prepare -> () -> names.prepared(prepare.name());
                default -> null;
            };
            copiesIn |= statement instanceof Statement.Update update && update.copiesIn();
            if (executed != null) {
                deallocations = deallocations == null ? new Deallocations() : deallocations;
                deallocations.add(executed);
            }
        }
        if (deallocations != null) {
            return new Note(false, deallocations);
        }
        return copiesIn ? COPIES_IN : Note.CLIENTS;
    }

    private void deallocated(@Nullable String name) {
        if (name == null) {
            allDeallocated();
        } else {
            names.deallocated(name);
        }
    }

    private void allDeallocated() {
        prepared.forgetAll();
        names.forgetAll();
    }

    private void everythingDiscarded() {
        allDeallocated();
        notifications.forget(null);
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
        last = unit.statements();
        if (exchange.status() == 'E' && TransactionBlock.mayLeaveFailure(unit.statements())) {
            exchange.blockMayRecover();
        }
        sharing = unit.isBrief() && (!block.isOpen() || own) && !exchange.onMaster();
        prepared.unitBegins();
        BackendConnection connection = exchange.backend();
        if (connection != null) {
            sequences.sent(connection, unit.statements());
        }
        pinning.sent(unit.statements());
        notifications.sent(unit.statements());
        variables.sent(unit.statements(), block.isOpen());
        if (connection != null) {
            connection.mayHold(variables.placeholders().marking());
        }
        block.sent(unit.statements(), variables.defaults(), exchange.status() == 'E');
        if (own) {
            deferred.staysUntold(unit.statements());
        }
        oneSnapshot.sent();
        unit.reset();
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
