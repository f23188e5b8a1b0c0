package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client conversation after its start. Holds its parts together: the {@link Intake} takes units from the input,
 * {@link Placing} finds where they run, the {@link Exchange} hears the replies, {@link Replay} and {@link Pinning} know
 * what of it must not get lost.
 *
 * <p>A unit that cannot go on is left in the input and tried again when what it waits for has come; what was found out
 * about it meanwhile is kept in {@link Unit}.
 */
public final class Session {
    private static final int MAX_WAITING_INPUT = 256 * 1024;

    private final LoopContext loop;
    private final ClientLink client;
    private final PoolKey key;
    private final int processId;
    private final Exchange exchange;
    private final ClientStatements prepared;
    private final SqlNames names;
    private final ExtendedSender extended;
    private final SessionVariables variables;
    private final TransactionBlock block = new TransactionBlock();
    private final Unit unit = new Unit();
    private final Waiting waiting;
    private final Instructions instructions;
    private final UntoldBlock untold;
    private final AwaitingFreshness freshness;
    private final Acquiring acquiring;
    private final Placing placing;
    private final Pinning pinning;
    private final Replay replay;
    private final OneSnapshot oneSnapshot;
    private final Listening listening;
    private final Intake intake;
    private final Sharing sharing;
    private final StallWatch stalls;

    private boolean processing;
    private boolean processAgain;
    private boolean ended;

    /**
     * @param key the kind of engine session it needs
     * @param reported parameters as the client was told
     * @param applicationName as the client gave it, null if it did not
     * @param processId the number by which the client knows its server process
     */
    public Session(
            LoopContext loop,
            ClientLink client,
            PoolKey key,
            Map<String, String> reported,
            @Nullable String applicationName,
            int processId) {
        this.loop = loop;
        this.client = client;
        this.key = key;
        this.processId = processId;
        exchange = new Exchange(this, client, loop.readCosts());
        exchange.reported().putAll(reported);
        variables = new SessionVariables(
                exchange.reported(),
                applicationName,
                key.startup(),
                loop.options().freshness());
        // A Satellite that has not applied it yet would begin the session without.
        variables.freshness().observed(key.sharedCatalogs().scn());
        waiting = new Waiting(loop.loop());
        SequenceState sequences = new SequenceState();
        instructions = new Instructions(exchange);
        untold = new UntoldBlock(exchange, block, instructions, new BlockTimeouts(loop, this, variables, waiting));
        freshness = new AwaitingFreshness(loop, this, exchange, block, variables, waiting, unit);
        prepared = new ClientStatements(loop, exchange, variables, key.database());
        acquiring = new Acquiring(
                loop,
                this,
                key,
                processId,
                exchange,
                block,
                untold,
                instructions,
                variables,
                waiting,
                unit,
                sequences,
                new Coalescing(loop, this, client, key, variables, unit, prepared));
        placing = new Placing(
                loop,
                this,
                exchange,
                block,
                untold,
                instructions,
                variables,
                waiting,
                unit,
                freshness,
                new AwaitingVisibility(loop, this, waiting, unit),
                acquiring);
        names = new SqlNames(exchange, prepared);
        PartialMessage partial = new PartialMessage(exchange, placing);
        stalls = new StallWatch(loop, this, client, waiting, partial);
        Failing failing = new Failing(exchange, partial);
        extended = new ExtendedSender(loop, exchange, prepared, names, placing, partial, failing, key.database());
        pinning = new Pinning(key, exchange, variables, instructions, names);
        replay = new Replay(loop, this, client, exchange, block, placing, untold, pinning);
        Classifying classifying = new Classifying(loop, this, exchange, block, waiting, unit, prepared);
        oneSnapshot = new OneSnapshot(exchange, block, variables, placing, instructions);
        listening = new Listening(loop, this, client, exchange, block, variables, waiting);
        intake = new Intake(
                loop,
                this,
                client,
                exchange,
                block,
                variables,
                unit,
                sequences,
                prepared,
                names,
                extended,
                partial,
                failing,
                placing,
                untold,
                instructions,
                pinning,
                replay,
                classifying,
                oneSnapshot,
                listening);
        sharing = new Sharing(
                loop, this, client, exchange, block, untold, variables, waiting, unit, acquiring, replay, extended,
                listening, intake);
    }

    int processId() {
        return processId;
    }

    public PoolKey key() {
        return key;
    }

    /** For {@code SHOW CLIENTS}: what the session does now. */
    public String state() {
        if (!waiting.isNothing()) {
            return "waiting: " + waiting;
        }
        if (exchange.isBound()) {
            return exchange.isDrained() ? (pinning.isPinned() ? "pinned" : "in transaction") : "active";
        }
        return block.isOpen() ? "in transaction" : "idle";
    }

    /** For {@code SHOW CLIENTS}: where its latest transaction ran and why. */
    public String route() {
        return acquiring.route();
    }

    /** The engine it is bound to, by name; empty if none. */
    public String boundTo() {
        BackendConnection backend = exchange.backend();
        return backend == null ? "" : backend.node().id().name();
    }

    // --- input

    /** The client has sent something, or something that a unit waited for has come. */
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
                    progress = intake.step(client.input());
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
        }
    }

    /** A transaction may have ended while the rest of what was sent for it was still to come, as of a COPY that failed. */
    private void releaseWhatIsOver() {
        if (exchange.isBound()
                && exchange.isDrained()
                && exchange.status() == 'I'
                && waiting.isNothing()
                && !exchange.isIgnored()
                && !exchange.isUnsynced()
                && !block.isOpen()
                && !intake.isSegmentOpen()
                && !intake.isPassing()
                && !pinning.isPinned()
                && !pinning.hasToAsk()) {
            placing.release();
        }
    }

    /** A client that does not read what it asked for is not listened to either, or its replies would fill the memory. */
    private boolean canGoOn() {
        return waiting.isNothing() && !ended && client.isWritable();
    }

    // --- waiting

    /** What was waited for has come. */
    void resume(Wait over) {
        if (waiting.is(over) && !ended) {
            waiting.end();
            process();
        }
    }

    void freshnessMayHaveChanged() {
        freshness.mayHaveChanged();
    }

    void acquired(BackendConnection connection) {
        acquiring.acquired(connection);
    }

    /** The status of the transaction as the client knows it, when what was its own within a block has ended. */
    byte statusBehindOwn(boolean failed) {
        return (byte) (block.isOpen() ? failed ? 'E' : 'T' : 'I');
    }

    void notAcquired(@Nullable ErrorFields error) {
        acquiring.notAcquired(error);
    }

    Sharing sharing() {
        return sharing;
    }

    /** What was sent is in the input again, of which nothing was told the client. */
    void beginAgain() {
        intake.beginAgain();
        prepared.unitBeginsAgain();
        unit.reset();
        pinning.nothingSent();
        waiting.end();
    }

    // --- replies

    /** Bytes from a Satellite are about to reach the client. */
    void satelliteAnswers(ComputationalNode node) {
        loop.services().visibility().shown(node.forwarded());
        variables.freshness().observedOnSatellite(node, loop.services().log());
    }

    String reportedTo(String name, String value) {
        return variables.reportedTo(name, value);
    }

    /** The process number by which clients know the session that a backend of this number serves or served last. */
    int clientProcessId(int backendProcessId) {
        return loop.processIds().clientOf(backendProcessId);
    }

    /** Whether notifications of the channel come over the shared connection. */
    boolean hearsShared(String channel) {
        return listening.hears(channel);
    }

    /** The Master has ended the session's transaction. @return whether the client is told later, by somebody else */
    boolean holdsReady() {
        return listening.holdsReady();
    }

    boolean awaitsReplies() {
        return waiting.is(Wait.REPLIES);
    }

    boolean isEnded() {
        return ended;
    }

    void prepareFailed(Exchange.Preparing preparing) {
        prepared.prepareFailed(preparing);
    }

    void prepareIgnored(Exchange.Preparing preparing) {
        prepared.prepareIgnored(preparing);
    }

    /** A ReadyForQuery came, whoever asked for it. */
    void unitEnded() {
        byte status = exchange.status();
        if (!exchange.isDrained()) {
            return;
        }
        if (exchange.onMaster()) {
            variables.freshness().observedOnMaster(loop.services().log());
        }
        replay.drop();
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
        if (status == 'I' && !intake.isSegmentOpen()) {
            transactionEnded();
        }
        listening.tell();
        resume(Wait.REPLIES);
    }

    /**
     * What was a transaction of its own within the client's block is over, or what Multimed asked before it.
     *
     * @param answered the client's unit has been answered
     * @param failed and that was an error
     */
    void ownTransactionEnded(boolean answered, boolean failed) {
        if (!exchange.isDrained() || waiting.is(Wait.ENGINE_WRITABLE)) {
            return;
        }
        placing.release();
        if (answered) {
            replay.drop();
            loop.counters().query();
            if (failed) {
                untold.fail();
            } else {
                untold.answered();
            }
        }
        resume(Wait.REPLIES);
    }

    private void transactionEnded() {
        variables.transactionEnded();
        extended.transactionEnded();
        if (names.takeBack() || listening.forgetRecalled(instructions)) {
            return;
        }
        if (pinning.isPinned() || pinning.hasToAsk()) {
            oneSnapshot.restore();
        }
        if (!pinning.askIfNeeded() && !pinning.isPinned() && !waiting.is(Wait.ENGINE_WRITABLE) && !intake.isPassing()) {
            placing.release();
        }
    }

    /** @param residue null when the engine could not tell */
    void residueKnown(@Nullable Residue residue) {
        if (pinning.answered(residue)) {
            unitEnded();
        } else {
            fail(ErrorFields.fatal(
                    SqlState.INTERNAL_ERROR, "cannot find out what the session's transaction has set on a satellite"));
        }
    }

    /** Setting up the engine session for a unit failed; what the unit itself answers tells the client no truth. */
    void preparationFailed(ErrorFields error) {
        if (replay.isPossible()) {
            exchange.bound().settings(Settings.UNKNOWN);
            exchange.discardReplies();
            return;
        }
        fail(new ErrorFields("FATAL", error.sqlState(), error.message(), error.detail(), error.hint()));
    }

    /** A Satellite could not answer the unit and nothing of it was seen. */
    void runElsewhere() {
        replay.elsewhere();
    }

    /** The unit is in the input again: the Master executes it. */
    void runAgain() {
        beginAgain();
        unit.masterReason = Reason.RETRIED;
        process();
    }

    /** The engine closed the connection; see {@link Replay#backendLost}. */
    void backendLost(
            BackendConnection lost,
            boolean unseen,
            boolean interrupted,
            boolean blockFailed,
            @Nullable Farewell farewell) {
        lost.node().transactionEnded();
        replay.backendLost(lost, unseen, interrupted, intake.isSegmentOpen(), blockFailed, farewell);
    }

    /** Nothing was lost with the backend; whatever the next unit waits for, the Master executes it. */
    void goOnWithMaster() {
        if (exchange.endIgnoring()) {
            intake.ignoreUpToSync();
        }
        unit.masterReason = Reason.RETRIED;
        placing.abandon();
        resume(waiting.reason());
    }

    // --- the client's connection

    /** The client takes bytes again. */
    public void clientWritable() {
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.resumeReading();
        }
        listening.tell();
        process();
    }

    /** The client asked, on another connection, to cancel what runs, or what waits to run. */
    public void cancel() {
        if (exchange.isBound() && !exchange.onlyInternal()) {
            exchange.cancel();
        } else if (waiting.isForUnit()) {
            unit.cancelled = true;
            placing.abandon();
            resume(waiting.reason());
        } else {
            listening.cancel();
        }
    }

    /** The conversation cannot go on. */
    void fail(ErrorFields error) {
        end();
        client.fail(error);
    }

    /** Whether a transaction has begun that its client has not ended, whatever engines know of it. */
    public boolean isAmidBlock() {
        return block.hasSnapshot();
    }

    /** Multimed ends. A client that has not been answered in full is not told: it might be amid a row. */
    public void shutDown() {
        if (exchange.isDrained()) {
            fail(ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminating connection due to administrator command"));
        }
    }

    /** The conversation is over, for whatever reason. The engine rolls back what is open. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        stalls.end();
        waiting.end();
        untold.forget();
        placing.abandon();
        listening.end();
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
