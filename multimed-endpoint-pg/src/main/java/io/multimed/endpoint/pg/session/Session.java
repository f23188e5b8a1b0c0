package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.BackendLoss;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeOwner;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SessionReport;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.OrdinaryState;
import io.multimed.endpoint.pg.session.requests.ProcessNumbering;
import io.multimed.endpoint.pg.session.requests.RequestReader;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.routing.BackendCheckout;
import io.multimed.endpoint.pg.session.routing.LossRecovery;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client conversation after its start. Holds its parts together: the {@link RequestReader} takes units from the input,
 * {@code Routing} finds the node where they run, the {@link Exchange} receives the replies, {@link Replay} keeps the running unit,
 * and {@code BackendPinning} keeps the session on a backend that holds state of it.
 *
 * <p>It has more fields and lines than other classes, since it passes each event of the client and of the engine to the part that
 * the event concerns.
 *
 * <p>A unit that cannot go on is left in the input and tried again when its wait has ended. The information found about it
 * meanwhile is kept in {@link Unit}.
 */
final class Session implements ClientSession, ExchangeOwner {
    private static final int MAX_WAITING_INPUT = 256 * 1024;

    private final ClientLink client;
    private final PoolKey key;
    private final Exchange exchange;
    private final Waiting waiting;
    private final SessionVariables variables;
    private final TransactionBlock block;
    private final ClientStatements prepared;
    private final Unit unit;
    private final BackendCheckout checkout;
    private final Replay replay;
    private final LossRecovery recovery;
    private final UnitRestart restart;
    private final WaitingUnit waitingUnit;
    private final ProcessNumbering numbering;
    private final SegmentReader segments;
    private final RequestReader requests;
    private final Notifications notifications;
    private final OrdinaryState ordinary;
    private final SessionSharing sharing;
    private final SharedReply sharedReply;
    private final PartialMessage partial;
    private final StallWatch stalls;
    private final StatementTimeout timeout;
    private final ObservedCommits observed;
    private final UnitEnds units;
    private final OwnTransactionEnds ownTransactions;
    private final TransactionCompletion transactions;
    private final SessionReport report;
    private final SessionEnd ending;
    /** Null if nobody watches. */
    private final @Nullable UnitWatch watch;

    private boolean processing;
    private boolean processAgain;
    private boolean ended;

    /**
     * Creates a session.
     *
     * @param key the kind of engine session that it needs
     * @param reported the parameters that the client has received
     * @param applicationName the name that the client gave; null if it gave none
     * @param processId the number by which the client knows its server process
     */
    Session(
            LoopContext loop,
            ClientLink client,
            PoolKey key,
            Map<String, String> reported,
            @Nullable String applicationName,
            int processId) {
        this.client = client;
        this.key = key;
        SessionAssembly parts = new SessionAssembly(loop, this, client, key, reported, applicationName, processId);
        exchange = parts.exchange;
        waiting = parts.waiting;
        variables = parts.variables;
        observed = parts.observed;
        block = parts.block;
        prepared = parts.prepared;
        unit = parts.unit;
        checkout = parts.checkout;
        replay = parts.replay;
        recovery = parts.recovery;
        restart = parts.restart;
        waitingUnit = parts.waitingUnit;
        numbering = parts.numbering;
        segments = parts.segments;
        requests = parts.requests;
        notifications = parts.notifications;
        ordinary = parts.ordinary;
        sharing = parts.sharing;
        sharedReply = parts.sharedReply;
        partial = parts.partial;
        stalls = parts.stalls;
        timeout = parts.timeout;
        units = parts.units;
        ownTransactions = parts.ownTransactions;
        transactions = parts.transactions;
        report = parts.report;
        ending = parts.ending;
        watch = parts.watch;
    }

    @Override
    public PoolKey key() {
        return key;
    }

    @Override
    public SessionReport report() {
        return report;
    }

    /** Whether the latest unit was a plain read that took the short way. */
    boolean hasTakenShortWay() {
        return ordinary.lasts();
    }

    // --- input

    @Override
    public void process() {
        if (processing || ended) {
            processAgain = true;
            return;
        }
        processing = true;
        try {
            do {
                processAgain = false;
                boolean progress = true;
                while (progress && canGoOn()) {
                    if (exchange.isAmongOthers()) {
                        waiting.begin(Wait.REPLIES);
                        break;
                    }
                    progress = requests.step(client.input()) && client.input().isReadable();
                }
            } while (processAgain && canGoOn());
        } catch (ProtocolException violation) {
            end();
            client.refuse(violation);
        } finally {
            processing = false;
        }
        if (!ended) {
            boolean goesOn = canGoOn();
            client.reading(goesOn || client.input().readableBytes() < MAX_WAITING_INPUT);
            if (!goesOn || !ordinary.lasts()) {
                transactions.giveBackIfOver();
                if (partial.isUnderWay()) {
                    stalls.begin();
                }
                timeout.processed();
            }
        }
    }

    /** Input is not processed while the client does not read its replies, since the replies would fill the memory. */
    private boolean canGoOn() {
        return waiting.isNothing() && !ended && client.isWritable();
    }

    // --- waiting

    @Override
    public void resume(Wait over) {
        if (waiting.is(over) && !ended) {
            waiting.end();
            try {
                process();
            } catch (RuntimeException | Error failure) {
                // Those that resume a session have other sessions, too, and would tell nobody.
                client.broken(failure);
            }
        }
    }

    @Override
    public void acquired(BackendConnection connection) {
        checkout.acquired(connection);
    }

    @Override
    public byte statusBehindOwn(boolean failed) {
        return (byte) (block.isOpen() ? failed ? 'E' : 'T' : 'I');
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        checkout.notAcquired(error);
    }

    @Override
    public SessionSharing sharing() {
        return sharing;
    }

    @Override
    public void answeredAlike(ComputationalNode node, ByteBuf answer) {
        sharedReply.answer(node, answer);
    }

    // --- replies

    @Override
    public void satelliteAnswers(ComputationalNode node) {
        observed.onSatellite(node);
    }

    @Override
    public String reportedTo(String name, String value) {
        return variables.reportedTo(name, value);
    }

    @Override
    public boolean signalled(int number) {
        return numbering.signalled(number);
    }

    @Override
    public boolean hearsShared(String channel) {
        return notifications.hears(channel);
    }

    @Override
    public boolean holdsReady() {
        return notifications.holdsReady();
    }

    @Override
    public boolean awaitsReplies() {
        return waiting.is(Wait.REPLIES);
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public void prepareFailed(Subject.Preparing preparing) {
        prepared.prepareFailed(preparing);
    }

    @Override
    public void prepareIgnored(Subject.Preparing preparing) {
        prepared.prepareIgnored(preparing);
    }

    @Override
    public void unitEnded(boolean failed) {
        ordinary.ends();
        units.ended(failed);
    }

    @Override
    public void plainReadEnded() {
        if (ordinary.lasts()) {
            units.plainReadEnded();
        } else {
            units.ended(false);
        }
    }

    @Override
    public void ownTransactionEnded(boolean answered, boolean failed) {
        ownTransactions.ended(answered, failed);
    }

    @Override
    public void residueKnown(@Nullable Residue residue) {
        if (transactions.residueKnown(residue)) {
            unitEnded(false);
        } else {
            fail(ErrorFields.fatal(
                    SqlState.INTERNAL_ERROR, "cannot find out what the session's transaction has set on a satellite"));
        }
    }

    @Override
    public void preparationFailed(ErrorFields error) {
        if (replay.isPossible()) {
            exchange.bound().settings(BackendSettings.UNKNOWN);
            exchange.bound().plans().areUnknown();
            exchange.discardReplies();
            return;
        }
        fail(new ErrorFields("FATAL", error.sqlState(), error.message(), error.detail(), error.hint()));
    }

    @Override
    public void runElsewhere() {
        replay.elsewhere();
    }

    @Override
    public void placeAnew() {
        unit.admission().seenMore();
    }

    @Override
    public void runAgain() {
        restart.restart();
        unit.admission().onMaster(Reason.RETRIED);
        process();
    }

    @Override
    public void backendLost(BackendLoss loss) {
        ordinary.ends();
        loss.connection().node().transactionEnded();
        recovery.backendLost(loss, segments.isOpen());
    }

    @Override
    public void goOnAfterLoss() {
        if (watch != null) {
            watch.answered(true);
        }
        timeout.end();
        segments.lost();
        numbering.unitEnded();
        variables.answered();
        if (!block.isOpen()) {
            transactions.lost();
        }
        goOnWithMaster();
    }

    @Override
    public void goOnWithMaster() {
        if (exchange.endIgnoring()) {
            segments.ignoreUpToSync();
        }
        waitingUnit.goOnWithMaster();
    }

    // --- the client's connection

    @Override
    public void clientWritable() {
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.resumeReading();
        }
        notifications.tell();
        process();
    }

    @Override
    public void cancel() {
        if (exchange.isBound() && !exchange.onlyInternal()) {
            exchange.cancel();
        } else if (waiting.isForUnit()) {
            waitingUnit.stop(Unit.CANCELLED);
        } else {
            notifications.cancel();
        }
    }

    @Override
    public void fail(ErrorFields error) {
        end();
        client.fail(error);
    }

    @Override
    public boolean isAmidBlock() {
        return block.hasSnapshot();
    }

    @Override
    public long heldBytes() {
        return notifications.heldBytes();
    }

    @Override
    public void shutDown() {
        if (exchange.isDrained()) {
            fail(ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminating connection due to administrator command"));
        }
    }

    @Override
    public void terminate() {
        terminate(ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminating connection due to administrator command"));
    }

    @Override
    public void terminate(ErrorFields why) {
        BackendConnection backend = exchange.backend();
        if (ended) {
            return;
        }
        if (backend != null && exchange.isHeard() && !exchange.isDrained()) {
            backend.terminate();
        }
        if (backend != null && backend.isAmidMessage()) {
            // The client would take an error message for a part of the row.
            end();
            client.close();
        } else {
            fail(why);
        }
    }

    @Override
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        ending.endAll();
    }
}
