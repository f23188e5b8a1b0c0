package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeOwner;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Loss;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SessionActivity;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.RequestReader;
import io.multimed.endpoint.pg.session.routing.BackendCheckout;
import io.multimed.endpoint.pg.session.routing.Pinning;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
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
 * {@link Routing} finds the node where they run, the {@link Exchange} receives the replies, {@link Replay} keeps the running unit,
 * and {@link Pinning} keeps the session on a backend that holds state of it.
 *
 * <p>A unit that cannot go on is left in the input and tried again when its wait has ended. The information found about it
 * meanwhile is kept in {@link Unit}.
 */
final class Session implements ClientSession, ExchangeOwner {
    private static final int MAX_WAITING_INPUT = 256 * 1024;

    private final LoopContext loop;
    private final ClientLink client;
    private final PoolKey key;
    private final Exchange exchange;
    private final ClientStatements prepared;
    private final SqlNames names;
    private final ExtendedSender extended;
    private final SessionVariables variables;
    private final TransactionBlock block;
    private final Unit unit;
    private final Waiting waiting;
    private final Instructions instructions;
    private final DeferredBegin deferred;
    private final BackendCheckout checkout;
    private final Routing routing;
    private final Pinning pinning;
    private final Replay replay;
    private final OneSnapshot oneSnapshot;
    private final Notifications notifications;
    private final RequestReader requests;
    private final Sharing sharing;
    private final StallWatch stalls;
    private final StatementTimeout timeout;

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
        this.loop = loop;
        this.client = client;
        this.key = key;
        SessionContext session = new SessionContext(loop, this, client, key, processId);
        ExchangeParts parts = ExchangeParts.of(session);
        exchange = parts.exchange();
        waiting = parts.waiting();
        instructions = parts.instructions();
        exchange.reported().putAll(reported);
        variables = new SessionVariables(
                exchange.reported(),
                applicationName,
                key.startup(),
                loop.options().freshness());
        // A Satellite that has not applied this SCN yet would begin the session without the catalog changes.
        variables.freshness().observed(key.sharedCatalogs().scn());
        BlockParts blocks = BlockParts.of(session, parts, variables);
        block = blocks.block();
        deferred = blocks.deferred();
        oneSnapshot = blocks.oneSnapshot();
        PreparedParts preparing = PreparedParts.of(session, parts, variables, block::isOpen, this::route);
        prepared = preparing.clients();
        names = preparing.names();
        extended = preparing.sender();
        RoutingParts placed = RoutingParts.of(session, parts, blocks, preparing, variables);
        unit = placed.unit();
        checkout = placed.checkout();
        routing = placed.routing();
        pinning = placed.pinning();
        replay = placed.replay();
        requests = new RequestReader(session, parts, blocks, preparing, placed, variables);
        notifications = requests.notifications();
        sharing = new Sharing(this, session, parts, blocks, preparing, placed, variables, requests);
        stalls = new StallWatch(session, parts);
        timeout = new StatementTimeout(session, parts, variables, unit, routing);
    }

    @Override
    public PoolKey key() {
        return key;
    }

    @Override
    public String state() {
        if (!waiting.isNothing()) {
            return "waiting: " + waiting;
        }
        if (exchange.isBound()) {
            return exchange.isDrained() ? (pinning.isPinned() ? "pinned" : "in transaction") : "active";
        }
        return block.isOpen() ? "in transaction" : "idle";
    }

    @Override
    public String route() {
        return checkout.route();
    }

    @Override
    public String boundTo() {
        BackendConnection backend = exchange.backend();
        return backend == null ? "" : backend.node().id().name();
    }

    @Override
    public SessionActivity activity() {
        BackendConnection backend = exchange.backend();
        String state = !waiting.isNothing() || backend != null && !exchange.isDrained()
                ? "active"
                : !block.isOpen() && exchange.status() == 'I'
                        ? "idle"
                        : exchange.status() == 'E' ? "idle in transaction (aborted)" : "idle in transaction";
        return new SessionActivity(
                state,
                exchange.reported().getOrDefault("application_name", ""),
                backend != null && backend.isHeardBy(exchange) ? backend.node() : null,
                backend != null && backend.isHeardBy(exchange) ? backend.processId() : 0);
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
                    progress = requests.step(client.input());
                }
            } while (processAgain && canGoOn());
        } catch (ProtocolException violation) {
            end();
            client.refuse(violation);
        } finally {
            processing = false;
        }
        if (!ended) {
            releaseWhatIsOver();
            client.reading(canGoOn() || client.input().readableBytes() < MAX_WAITING_INPUT);
            stalls.begin();
            timeout.processed();
        }
    }

    /** A transaction may have ended while the rest of its messages was still to come, for example after a COPY that failed. */
    private void releaseWhatIsOver() {
        if (exchange.isBound()
                && exchange.isDrained()
                && exchange.status() == 'I'
                && waiting.isNothing()
                && !exchange.isIgnored()
                && !exchange.isUnsynced()
                && !block.isOpen()
                && !requests.isSegmentOpen()
                && !requests.isPassing()
                && !pinning.isPinned()
                && !pinning.hasToAsk()) {
            routing.release();
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
            process();
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
    public Sharing sharing() {
        return sharing;
    }

    @Override
    public void answeredAlike(ComputationalNode node, ByteBuf answer) {
        sharing.answeredAlike(node, answer);
    }

    /** Restores the state before the unit, which is in the input again and of which the client has seen nothing. */
    void beginAgain() {
        requests.beginAgain();
        prepared.unitBeginsAgain();
        unit.reset();
        pinning.nothingSent();
        waiting.end();
    }

    // --- replies

    @Override
    public void satelliteAnswers(ComputationalNode node) {
        loop.services().visibility().shown(node.forwarded());
        variables.freshness().observedOnSatellite(node, loop.services().log());
    }

    @Override
    public String reportedTo(String name, String value) {
        return variables.reportedTo(name, value);
    }

    @Override
    public boolean signalled(int number) {
        return requests.processNumbering().signalled(number);
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
        if (failed) {
            pinning.failed();
        }
        byte status = exchange.status();
        if (status == 'E') {
            block.failed(exchange.isDrained());
        }
        if (!exchange.isDrained()) {
            return;
        }
        block.answered();
        timeout.end();
        if (exchange.onMaster()) {
            variables.freshness().observedOnMaster(loop.services().log());
        }
        replay.drop();
        requests.processNumbering().unitEnded();
        variables.answered();
        if (status == 'I') {
            block.idle();
        } else {
            block.inBlock();
            if (status == 'E') {
                block.unitFailed();
            }
        }
        loop.counters().query();
        if (status == 'I' && !requests.isSegmentOpen()) {
            transactionEnded();
        }
        notifications.tell();
        resume(Wait.REPLIES);
    }

    @Override
    public void ownTransactionEnded(boolean answered, boolean failed) {
        if (!exchange.isDrained() || waiting.is(Wait.ENGINE_WRITABLE)) {
            return;
        }
        routing.release();
        if (answered) {
            replay.drop();
            loop.counters().query();
            if (failed) {
                deferred.fail();
            } else {
                deferred.answered();
            }
        }
        resume(Wait.REPLIES);
    }

    private void transactionEnded() {
        variables.transactionEnded(pinning.isPinned() || pinning.hasToAsk());
        extended.transactionEnded();
        if (names.takeBack() || notifications.forgetRecalled(instructions)) {
            return;
        }
        if (pinning.isPinned() || pinning.hasToAsk()) {
            oneSnapshot.restore();
        }
        if (pinning.askIfNeeded()) {
            return;
        }
        block.leftNothing();
        if (!pinning.isPinned() && !waiting.is(Wait.ENGINE_WRITABLE) && !requests.isPassing()) {
            routing.release();
        }
    }

    @Override
    public void residueKnown(@Nullable Residue residue) {
        if (pinning.answered(residue)) {
            unitEnded(false);
        } else {
            fail(ErrorFields.fatal(
                    SqlState.INTERNAL_ERROR, "cannot find out what the session's transaction has set on a satellite"));
        }
    }

    @Override
    public void preparationFailed(ErrorFields error) {
        if (replay.isPossible()) {
            exchange.bound().settings(Settings.UNKNOWN);
            exchange.bound().prepared().plans().areUnknown();
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
        beginAgain();
        unit.admission().onMaster(Reason.RETRIED);
        process();
    }

    @Override
    public void backendLost(Loss loss) {
        loss.connection().node().transactionEnded();
        replay.backendLost(loss, requests.isSegmentOpen());
    }

    @Override
    public void goOnAfterLoss() {
        timeout.end();
        requests.segmentLost();
        requests.processNumbering().unitEnded();
        variables.answered();
        if (!block.isOpen()) {
            pinning.lost();
            variables.transactionEnded(false);
            extended.transactionEnded();
            names.loansLost();
            notifications.tell();
        }
        goOnWithMaster();
    }

    @Override
    public void goOnWithMaster() {
        if (exchange.endIgnoring()) {
            requests.ignoreUpToSync();
        }
        unit.admission().onMaster(Reason.RETRIED);
        routing.abandon();
        resume(waiting.reason());
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
            unit.cancel();
            routing.abandon();
            resume(waiting.reason());
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
        BackendConnection backend = exchange.backend();
        if (ended) {
            return;
        }
        if (backend != null && backend.isHeardBy(exchange) && !exchange.isDrained()) {
            backend.terminate();
        }
        if (backend != null && backend.isAmidMessage()) {
            // The client would take an error message for a part of the row.
            end();
            client.close();
        } else {
            fail(ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminating connection due to administrator command"));
        }
    }

    @Override
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        stalls.end();
        timeout.end();
        waiting.end();
        deferred.forget();
        routing.abandon();
        notifications.end();
        requests.end();
        replay.drop();
        prepared.end();
        BackendConnection backend = exchange.backend();
        if (backend != null && backend.isAlone() && backend.isHeardBy(exchange)) {
            exchange.unbind();
            backend.node().transactionEnded();
            backend.discard();
        } else if (backend != null) {
            if (exchange.isUnsynced()) {
                instructions.synchronise();
            }
            exchange.leave();
        }
        exchange.clientGone();
    }
}
