package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.NotRead;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One client conversation after its start: takes units from the input, places them, sends them.
 *
 * <p>A unit that cannot go on is left in the input and tried again when what it waits for has come; what was found out
 * about it meanwhile is kept in {@link Unit}.
 */
public final class Session {
    private static final int CATALOG_POLL_MILLIS = 2;
    private static final int MAX_WAITING_INPUT = 256 * 1024;

    private final LoopContext loop;
    private final ClientLink client;
    private final PoolKey key;
    private final int processId;
    private final Exchange exchange;
    private final ExtendedSender extended;
    private final SessionVariables variables;
    private final TransactionBlock block = new TransactionBlock();
    private final SegmentScanner scanner = new SegmentScanner();
    private final Unit unit = new Unit();
    private final SequenceState sequences = new SequenceState();
    private final Waiting waiting;
    private final Placing placing;
    private SessionEffect effect = SessionEffect.NONE;
    private @Nullable ByteBuf replay;
    private boolean replayInBlock;
    /** Extended query messages have been sent that no Sync has followed yet. */
    private boolean segmentOpen;
    /** The session keeps its backend between transactions. */
    private boolean pinned;

    private boolean askingResidue;
    /** The client wants to cancel what follows that question. */
    private boolean cancelAfterResidue;

    /** The question is about settings only: what pins the session does so still. */
    private boolean staysPinned;

    /** It has set a parameter whose name nobody knows, so no other backend can be told. */
    private boolean setSomethingUnknown;

    private boolean processing;
    private boolean processAgain;
    private boolean ended;
    /** Bytes still to come of a message that was sent before all of it was there. */
    private int passing;

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
        exchange = new Exchange(this, client);
        exchange.reported().putAll(reported);
        extended = new ExtendedSender(loop, exchange, key.database());
        variables = new SessionVariables(
                exchange.reported(),
                applicationName,
                key.startup(),
                loop.options().freshness());
        waiting = new Waiting(loop.loop());
        placing = new Placing(loop, this, key, processId, exchange, block, variables, waiting, unit, sequences);
        loop.sessions().add(this);
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
            return exchange.isDrained() ? (pinned ? "pinned" : "in transaction") : "active";
        }
        return "idle";
    }

    /** For {@code SHOW CLIENTS}: where its latest transaction ran and why. */
    public String route() {
        return placing.route();
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
                while (progress && waiting.isNothing() && !ended) {
                    progress = step(client.input());
                }
            } while (processAgain && waiting.isNothing() && !ended);
        } catch (ProtocolException violation) {
            if (violation.silent()) {
                end();
                client.close();
            } else {
                fail(ErrorFields.fatal(violation.sqlState(), String.valueOf(violation.getMessage())));
            }
        } finally {
            processing = false;
        }
        if (!ended) {
            client.reading(waiting.isNothing() || client.input().readableBytes() < MAX_WAITING_INPUT);
        }
    }

    /** @return whether to go on with the input */
    private boolean step(ByteBuf in) throws ProtocolException {
        if (passing > 0) {
            return passRest(in);
        }
        if (in.readableBytes() < 5) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        int length = in.getInt(in.readerIndex() + 1);
        Frontend.checkHeader(type, length);
        int total = length + 1;
        return switch (type) {
            case Frontend.QUERY -> query(in, total);
            case Frontend.COPY_DATA, Frontend.COPY_DONE, Frontend.COPY_FAIL -> copy(in, type, total);
            case Frontend.FUNCTION_CALL -> functionCall(in, total);
            case Frontend.TERMINATE -> {
                if (exchange.isBound() && !exchange.isDrained()) {
                    // What was sent before is still answered.
                    yield placing.awaitReplies();
                }
                end();
                client.close();
                yield false;
            }
            default -> extendedMessage(in, type, total);
        };
    }

    private boolean query(ByteBuf in, int total) {
        boolean whole = total <= loop.options().maxUnitBytes();
        if (whole && in.readableBytes() < total) {
            return false;
        }
        // Without its terminator it is malformed: the engine words the error.
        boolean wellFormed = whole && total > 5 && in.getByte(in.readerIndex() + total - 1) == 0;
        ClassifiedSql sql = wellFormed ? classify(in, in.readerIndex() + 5, total - 6) : ClassifiedSql.UNPARSED;
        if (sql == null) {
            return false;
        }
        unit.statements = sql.statements();
        if (isRouteQuestion()) {
            return answerRoute(in, total);
        }
        if (!placing.place()) {
            return false;
        }
        if (sequences.mustForgetOthers(unit.statements, pinned || exchange.status() == 'E')) {
            placing.sendInternal(exchange.bound(), "DISCARD SEQUENCES", Note.INTERNAL);
        }
        ErrorFields refusal = refusal();
        if (refusal != null) {
            in.skipBytes(total);
            sendRefusal(refusal);
            return true;
        }
        if (wellFormed && setsByFunction(unit.statements)) {
            noteFunctionSetting(in.toString(in.readerIndex() + 5, total - 6, StandardCharsets.ISO_8859_1));
        }
        keepForReplay(in, total);
        extended.forgetUnnamed();
        if (unit.statements.size() == 1 && unit.statements.getFirst() instanceof Statement.Deallocate deallocate) {
            return deallocate(in, total, deallocate);
        }
        exchange.expect(Kind.QUERY, noteOfQuery());
        sent();
        pass(in, total);
        return true;
    }

    private static boolean setsByFunction(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update && update.effect() == SessionEffect.SETTINGS) {
                return true;
            }
        }
        return false;
    }

    private void noteFunctionSetting(String sql) {
        setSomethingUnknown |= !variables.mayBeSetBy(sql);
    }

    private Note noteOfQuery() {
        for (Statement statement : unit.statements) {
            if (statement instanceof Statement.Discard discard && discard.what() == Statement.Discard.What.ALL) {
                return new Note(false, (Runnable) extended::forgetAll);
            }
        }
        return Note.CLIENTS;
    }

    /** A statement prepared by a Parse message bears another name in the engine. */
    private boolean deallocate(ByteBuf in, int total, Statement.Deallocate what) {
        if (what.name() == null) {
            exchange.expect(Kind.QUERY, new Note(false, (Runnable) extended::forgetAll));
            sent();
            pass(in, total);
            return true;
        }
        String engineName = extended.deallocate(what.name());
        exchange.expect(Kind.QUERY, Note.CLIENTS);
        sent();
        if (engineName == null) {
            pass(in, total);
        } else {
            in.skipBytes(total);
            ByteBuf out = exchange.bound().buffer(64);
            FrontendMessages.query(out, "DEALLOCATE " + engineName);
            exchange.bound().write(out);
        }
        return true;
    }

    private boolean functionCall(ByteBuf in, int total) {
        unit.statements = ClassifiedSql.UNPARSED.statements();
        if (!placing.place()) {
            return false;
        }
        exchange.expect(Kind.FUNCTION_CALL, Note.CLIENTS);
        sent();
        pass(in, total);
        return true;
    }

    private boolean copy(ByteBuf in, byte type, int total) {
        if (!exchange.isBound()) {
            // As PostgreSQL does outside COPY: accepted and ignored.
            if (in.readableBytes() < total) {
                return false;
            }
            in.skipBytes(total);
            return true;
        }
        pass(in, total);
        if (type != Frontend.COPY_DATA) {
            exchange.copyEnded();
        }
        return true;
    }

    private boolean extendedMessage(ByteBuf in, byte type, int total) throws ProtocolException {
        if (!segmentOpen) {
            if (exchange.copyIn()) {
                pass(in, total);
                return true;
            }
            if (!openSegment(in)) {
                return false;
            }
            if (!segmentOpen) {
                return true;
            }
        }
        int there = Math.min(total, in.readableBytes());
        if (there < total
                && (type != Frontend.BIND || there < loop.options().maxUnitBytes())
                && total <= loop.options().maxUnitBytes()) {
            return false;
        }
        if (there < total && type != Frontend.BIND && type != Frontend.PARSE) {
            return false;
        }
        if (type == Frontend.SYNC || type == Frontend.FLUSH && !exchange.onMaster()) {
            // On a Satellite what follows a Flush is looked at by itself.
            segmentOpen = false;
        }
        if (type == Frontend.EXECUTE && there >= 4 && in.getInt(in.readerIndex() + total - 4) != 0) {
            block.keepsPortal();
        }
        passing = total - extended.send(in, type, total);
        return true;
    }

    /** Looks at a new segment and places it. @return false when it has to wait */
    private boolean openSegment(ByteBuf in) throws ProtocolException {
        SegmentScanner.Result result = scanner.scan(in, scannerStatements);
        switch (result) {
            case BEING_CLASSIFIED -> {
                return false;
            }
            case MORE_INPUT -> {
                if (in.readableBytes() < loop.options().maxUnitBytes()) {
                    return false;
                }
                unit.statements = ClassifiedSql.UNPARSED.statements();
            }
            case COMPLETE -> {
                if (!scanner.needsEngine() && !exchange.isBound() && scanner.length() > 0) {
                    answerClosing(in, scanner.length());
                    return true;
                }
                unit.statements = scanner.endsWithSync() || block.isOpen()
                        ? scanner.statements()
                        : ClassifiedSql.UNPARSED.statements();
                if (isRouteQuestion()) {
                    return answerRouteSegment(in, scanner.length());
                }
            }
        }
        if (!placing.place()) {
            return false;
        }
        if (sequences.mustForgetOthers(unit.statements, pinned || exchange.status() == 'E')) {
            placing.sendInternal(exchange.bound(), "DISCARD SEQUENCES", Note.INTERNAL);
        }
        ErrorFields refusal = refusal();
        if (refusal != null && result == SegmentScanner.Result.COMPLETE) {
            in.skipBytes(scanner.length());
            sendRefusal(refusal);
            return true;
        }
        if (result == SegmentScanner.Result.COMPLETE) {
            keepForReplay(in, scanner.length());
        }
        if (setsByFunction(unit.statements)) {
            scanner.texts().forEach(sql -> noteFunctionSetting(new String(sql, StandardCharsets.ISO_8859_1)));
        }
        sent();
        segmentOpen = true;
        return true;
    }

    private final SegmentScanner.Statements scannerStatements = new SegmentScanner.Statements() {
        @Override
        public @Nullable ClassifiedSql classify(byte[] sql) {
            return classifyBytes(sql, sql.length);
        }

        @Override
        public @Nullable PreparedStatement named(String name) {
            return extended.statement(name);
        }

        @Override
        public @Nullable ClassifiedSql classify(PreparedStatement statement) {
            if (PreparedStatement.namesUserType(statement.parameterTypes())) {
                return ClassifiedSql.UNPARSED;
            }
            DatabaseCatalog catalog = catalog();
            ClassifiedSql known = statement.classified(catalog.version());
            if (known == null) {
                known = classifyBytes(statement.sql(), statement.sql().length);
                if (known != null) {
                    statement.classified(known, catalog.version());
                }
            }
            return known;
        }
    };

    // --- classification

    private DatabaseCatalog catalog() {
        return loop.services().schemas().catalog(key.database());
    }

    private @Nullable ClassifiedSql classify(ByteBuf in, int index, int length) {
        byte[] sql = loop.scratch(length);
        in.getBytes(index, sql, 0, length);
        return classifyBytes(sql, length);
    }

    private @Nullable ClassifiedSql classifyBytes(byte[] sql, int length) {
        if (unit.answers(sql, length)) {
            return unit.answer;
        }
        if (!StatementClassifier.understands(exchange.reported().getOrDefault("client_encoding", "UTF8"))) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalog();
        StatementClassifier classifier = loop.services().classifier();
        ClassifiedSql known = classifier.classify(sql, 0, length, catalog);
        if (known != null) {
            return isWorthWaitingForCatalog(known, catalog) ? awaitCatalog() : known;
        }
        if (exchange.onMaster() && (block.isOpen() || !exchange.onlyInternal())) {
            // It runs on the Master anyway; what it leaves behind will be asked.
            return ClassifiedSql.UNPARSED;
        }
        waiting.begin(Wait.CLASSIFICATION);
        byte[] asked = Arrays.copyOf(sql, length);
        classifier.whenClassified(asked, 0, length, catalog, loop.loop(), result -> {
            unit.answer(asked, result);
            resume(Wait.CLASSIFICATION);
        });
        return null;
    }

    // --- sending

    private void pass(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        exchange.bound().write(in.readRetainedSlice(part));
        passing = total - part;
    }

    private boolean passRest(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        if (!exchange.isBound()) {
            int part = Math.min(passing, in.readableBytes());
            in.skipBytes(part);
            passing -= part;
            return true;
        }
        if (!placing.writableEngine()) {
            return false;
        }
        pass(in, passing);
        return true;
    }

    /** Keeps a unit on a Satellite until it is sure that it need not run elsewhere. */
    private void keepForReplay(ByteBuf in, int length) {
        dropReplay();
        if (exchange.onMaster() || length > loop.options().maxUnitBytes() || !onlyInternalRepliesOutstanding()) {
            return;
        }
        if (block.isOpen() && !block.isMovable() || exchange.status() == 'E') {
            return;
        }
        replay = client.buffer(length).writeBytes(in, in.readerIndex(), length);
        replayInBlock = block.isOpen();
        exchange.holdReplies();
    }

    private boolean onlyInternalRepliesOutstanding() {
        return exchange.isDrained() || exchange.onlyInternal();
    }

    private void dropReplay() {
        if (replay != null) {
            replay.release();
            replay = null;
        }
    }

    private void sent() {
        sequences.sent(unit.statements);
        for (int i = 0; i < unit.statements.size(); i++) {
            effect = effect.and(unit.statements.get(i).effect());
        }
        variables.sent(unit.statements);
        block.sent(unit.statements, variables.defaults());
        unit.reset();
    }

    private @Nullable ErrorFields refusal() {
        ErrorFields refusal = placing.takeRefusal();
        for (int i = 0; refusal == null && i < unit.statements.size(); i++) {
            refusal = MultimedSettings.refuse(unit.statements.get(i));
        }
        return refusal;
    }

    /** Has the engine fail, so that its transaction is aborted as it must be, and the client see this error for it. */
    private void sendRefusal(ErrorFields refusal) {
        unit.statements = List.of();
        sent();
        extended.forgetUnnamed();
        ByteBuf out = exchange.bound().buffer(512);
        FrontendMessages.query(out, OwnAnswers.FAILING);
        exchange.bound().write(out);
        exchange.expect(Kind.QUERY, new Note(false, new Exchange.Replacement(refusal)));
    }

    /** Whether it was not understood only because the catalog is being read, and that can still be waited for. */
    private boolean isWorthWaitingForCatalog(ClassifiedSql sql, DatabaseCatalog catalog) {
        if (catalog.version() != DatabaseCatalog.UNKNOWN.version() || exchange.onMaster() && !exchange.onlyInternal()) {
            return false;
        }
        boolean unparsed = sql.statements().stream()
                .anyMatch(statement ->
                        statement instanceof Statement.Update update && update.reason() == NotRead.UNPARSED);
        if (!unparsed) {
            return false;
        }
        long patience = (exchange.isBound()
                        ? loop.options().masterPatience()
                        : loop.options().freshnessPatience())
                .toNanos();
        return loop.nanoTime() - unit.arrived(loop.nanoTime()) < patience;
    }

    private @Nullable ClassifiedSql awaitCatalog() {
        waiting.begin(Wait.CATALOG);
        waiting.alarmIn(CATALOG_POLL_MILLIS, () -> resume(Wait.CATALOG));
        return null;
    }

    // --- answers of Multimed's own

    private boolean isRouteQuestion() {
        return unit.statements.size() == 1
                && unit.statements.getFirst() instanceof Statement.Show show
                && show.name().equals(MultimedSettings.ROUTE);
    }

    private boolean answerRoute(ByteBuf in, int total) {
        if (!exchange.isDrained()) {
            return placing.awaitReplies();
        }
        in.skipBytes(total);
        unit.reset();
        ByteBuf out = client.buffer(128);
        OwnAnswers.route(out, placing.route(), exchange.status());
        client.write(out);
        return true;
    }

    private boolean answerRouteSegment(ByteBuf in, int length) {
        if (!exchange.isDrained()) {
            return placing.awaitReplies();
        }
        unit.reset();
        ByteBuf out = client.buffer(256);
        OwnAnswers.routeSegment(in, length, out, placing.route(), exchange.status());
        client.write(out);
        return true;
    }

    private void answerClosing(ByteBuf in, int length) {
        unit.reset();
        ByteBuf out = client.buffer(64);
        OwnAnswers.closingSegment(in, length, out, extended);
        client.write(out);
    }

    // --- waiting

    /** What was waited for has come. */
    void resume(Wait over) {
        if (waiting.is(over) && !ended) {
            waiting.end();
            process();
            loop.backends().flushAll();
        }
    }

    void freshnessMayHaveChanged() {
        placing.freshnessMayHaveChanged();
    }

    void acquired(BackendConnection connection) {
        placing.acquired(connection);
    }

    void notAcquired(@Nullable ErrorFields error) {
        placing.notAcquired(error);
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

    void prepareFailed(Exchange.Preparing preparing) {
        extended.prepareFailed(preparing);
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
        dropReplay();
        if (status == 'I') {
            block.idle();
        } else {
            block.inBlock();
        }
        loop.counters().query();
        if (status == 'I' && !segmentOpen) {
            transactionEnded();
        }
        resume(Wait.REPLIES);
    }

    private void transactionEnded() {
        if (effect != SessionEffect.NONE) {
            askResidue();
        } else if (!pinned && !waiting.is(Wait.ENGINE_WRITABLE) && passing == 0) {
            placing.release();
        }
    }

    private void askResidue() {
        BackendConnection backend = exchange.bound();
        boolean settingsOnly = effect == SessionEffect.SETTINGS;
        effect = SessionEffect.NONE;
        askingResidue = true;
        placing.sendInternal(
                backend,
                settingsOnly
                        ? Residue.settingsQuery(variables.customNames())
                        : Residue.fullQuery(key.user(), variables.customNames()),
                new Note(true, new Residue()));
        staysPinned = settingsOnly && pinned;
    }

    /** @param residue null when the engine could not tell */
    void residueKnown(@Nullable Residue residue) {
        askingResidue = false;
        BackendConnection backend = exchange.bound();
        boolean hold = residue == null
                || setSomethingUnknown
                || staysPinned
                || !residue.privateThings().isEmpty();
        if (hold && !pinned) {
            backend.keepPrivate();
        }
        if (residue != null) {
            variables.are(residue.settingsMap());
            backend.settings(residue.settings());
        }
        boolean wasPinned = pinned;
        pinned = hold;
        if (wasPinned && !hold) {
            backend.keepShared();
        }
        if (cancelAfterResidue) {
            cancelAfterResidue = false;
            backend.cancel();
        }
        unitEnded();
    }

    /** Setting up the engine session for a unit failed; what the unit itself answers tells the client no truth. */
    void preparationFailed(ErrorFields error) {
        if (!exchange.onMaster() && replay != null) {
            exchange.discardReplies();
            return;
        }
        fail(new ErrorFields("FATAL", error.sqlState(), error.message(), error.detail(), error.hint()));
    }

    /** A Satellite could not answer the unit and nothing of it was seen: the Master executes it. */
    void runElsewhere() {
        ByteBuf again = replay;
        replay = null;
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        placing.leaveSatellite();
        replayOnMaster(again);
    }

    private void replayOnMaster(ByteBuf again) {
        if (replayInBlock) {
            placing.beginAnew();
        } else {
            block.idle();
        }
        segmentOpen = false;
        client.unread(again);
        unit.reset();
        unit.masterReason = Reason.RETRIED;
        effect = SessionEffect.NONE;
        waiting.end();
        process();
    }

    /**
     * The engine closed the connection.
     *
     * @param unseen nothing of the unit's answer has reached the client
     * @param interrupted the client waits for replies
     * @param farewell what the engine said last, if the client has been told
     */
    void backendLost(BackendConnection lost, boolean unseen, boolean interrupted, @Nullable ErrorFields farewell) {
        lost.node().transactionEnded();
        boolean onSatellite = lost.node().role() == Role.SATELLITE;
        ByteBuf again = replay;
        replay = null;
        if (onSatellite && unseen && again != null) {
            replayOnMaster(again);
            return;
        }
        if (again != null) {
            again.release();
        }
        boolean nothingLost = !block.isOpen() || onSatellite && block.isMovable();
        if (!interrupted && nothingLost && !pinned && !askingResidue) {
            if (block.isOpen()) {
                placing.beginAnew();
            }
            unit.masterReason = Reason.RETRIED;
            resume(waiting.reason());
            return;
        }
        boolean unknownOutcome = !onSatellite && interrupted && block.isCommitting();
        if (farewell != null) {
            end();
            client.close();
        } else if (unknownOutcome) {
            fail(ErrorFields.fatal(
                            SqlState.TRANSACTION_RESOLUTION_UNKNOWN,
                            "the master went away while it executed a transaction; its outcome is unknown")
                    .withHint("Look whether its changes are there before you repeat it."));
        } else {
            fail(ErrorFields.fatal(
                    SqlState.CRASH_SHUTDOWN,
                    "terminating connection because " + lost.node().id() + " went away"));
        }
    }

    // --- the client's connection

    /** The client takes bytes again. */
    public void clientWritable() {
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            backend.resumeReading();
        }
    }

    /** The client asked, on another connection, to cancel what runs. */
    public void cancel() {
        BackendConnection backend = exchange.backend();
        if (backend == null || exchange.isDrained()) {
            return;
        }
        if (askingResidue) {
            cancelAfterResidue = !exchange.onlyInternal();
        } else {
            backend.cancel();
        }
    }

    /** The conversation cannot go on. */
    void fail(ErrorFields error) {
        end();
        client.fail(error);
    }

    /** The conversation is over, for whatever reason. The engine rolls back what is open. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        waiting.end();
        loop.sessions().remove(this);
        placing.abandon();
        dropReplay();
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            exchange.unbind();
            backend.node().transactionEnded();
            backend.discard();
        }
        exchange.clientGone();
    }
}
