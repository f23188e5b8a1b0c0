package io.multimed.endpoint.pg.session;

import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.session.SessionFreshness;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.model.Freshness;
import io.multimed.model.Role;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client conversation after its start: takes units from the input, places them, sends them.
 *
 * <p>A unit that cannot go on is left in the input and tried again when what it waits for has come; what was found out
 * about it meanwhile is kept in {@link Unit}.
 */
public final class Session {
    /** What the unit at the head of the input waits for. */
    private enum Wait {
        NOTHING,
        CLASSIFICATION,
        FRESHNESS,
        /** The Master to show what Satellites have shown. */
        VISIBILITY,
        CONNECTION,
        /** All replies outstanding, because the next unit runs elsewhere. */
        REPLIES,
        /** The engine to take more bytes. */
        ENGINE_WRITABLE,
        /** A pause before the Master is tried again. */
        RETRY
    }

    private static final int MAX_WAITING_INPUT = 256 * 1024;
    private static final int RETRY_MASTER_MILLIS = 50;
    /** A snapshot taken twice in a row is nearly always enough; a commit that hangs must not be asked for at full speed. */
    private static final int SNAPSHOTS_WITHOUT_PAUSE = 4;

    private final LoopContext loop;
    private final ClientLink client;
    private final int processId;
    private final PoolKey key;
    private final Exchange exchange;
    private final ExtendedSender extended;
    private final SessionFreshness freshness;
    private final Freshness freshnessAtStart;
    private final Settings settingsAtStart;
    private final TransactionBlock block = new TransactionBlock();
    private final SegmentScanner scanner = new SegmentScanner();
    private final Unit unit = new Unit();
    private Settings settings;
    private SessionDefaults defaults;
    private Wait wait = Wait.NOTHING;
    private SessionEffect effect = SessionEffect.NONE;
    private String route = "none yet";
    private @Nullable ComputationalNode acquiring;
    private @Nullable Reason acquiringFor;
    private @Nullable ScheduledFuture<?> alarm;
    private @Nullable ByteBuf replay;
    private boolean replayInBlock;
    /** Extended query messages have been sent that no Sync has followed yet. */
    private boolean segmentOpen;
    /** The block was begun on a Satellite and must be begun anew on the Master. */
    private boolean rebegin;
    /** The session keeps its backend between transactions. */
    private boolean pinned;

    private boolean askingResidue;
    /** What was sent last resets settings. */
    private boolean resetting;

    private boolean processing;
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
        this.processId = processId;
        this.client = client;
        this.key = key;
        this.exchange = new Exchange(this, client);
        this.extended = new ExtendedSender(loop, exchange, key.database());
        exchange.reported().putAll(reported);
        settingsAtStart = applicationName == null || applicationName.isEmpty()
                ? Settings.NONE
                : new Settings(Map.of("application_name", applicationName));
        settings = settingsAtStart;
        freshnessAtStart = MultimedSettings.freshness(
                MultimedSettings.atStart(key.startup()), loop.options().freshness());
        freshness = new SessionFreshness(freshnessAtStart);
        defaults = SessionDefaults.of(reported, settings.values());
        loop.sessions().add(this);
    }

    public PoolKey key() {
        return key;
    }

    /** For {@code SHOW CLIENTS}: what the session does now. */
    public String state() {
        if (wait != Wait.NOTHING) {
            return "waiting: " + wait.name().toLowerCase(java.util.Locale.ROOT);
        }
        if (exchange.isBound()) {
            return exchange.isDrained() ? (pinned ? "pinned" : "in transaction") : "active";
        }
        return "idle";
    }

    /** For {@code SHOW CLIENTS}: where its latest transaction ran and why. */
    public String route() {
        return route;
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
            return;
        }
        processing = true;
        try {
            boolean progress = true;
            while (progress && wait == Wait.NOTHING && !ended) {
                progress = step(client.input());
            }
        } catch (ProtocolException violation) {
            end();
            if (violation.silent()) {
                client.close();
            } else {
                client.fail(ErrorFields.fatal(violation.sqlState(), String.valueOf(violation.getMessage())));
            }
        } finally {
            processing = false;
        }
        if (!ended) {
            client.reading(wait == Wait.NOTHING || client.input().readableBytes() < MAX_WAITING_INPUT);
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
                    yield awaitReplies();
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
        ClassifiedSql sql = whole ? classify(in, in.readerIndex() + 5, total - 6) : ClassifiedSql.UNPARSED;
        if (sql == null) {
            return false;
        }
        unit.statements = sql.statements();
        if (isRouteQuestion()) {
            return answerRoute(in, total);
        }
        if (!place()) {
            return false;
        }
        ErrorFields refusal = refusal();
        if (refusal != null) {
            in.skipBytes(total);
            sendRefusal(refusal);
            return true;
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
        if (!place()) {
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
        if (type == Frontend.SYNC) {
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
                    answerLocally(in, scanner.length());
                    return true;
                }
                unit.statements = scanner.statements();
                if (isRouteQuestion() && !exchange.isBound()) {
                    answerRouteExtended(in, scanner.length());
                    return true;
                }
            }
        }
        if (!place()) {
            return false;
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
            return known;
        }
        if (exchange.onMaster() && !pinned) {
            // It runs on the Master anyway; what it leaves behind will be asked.
            return ClassifiedSql.UNPARSED;
        }
        wait = Wait.CLASSIFICATION;
        byte[] asked = Arrays.copyOf(sql, length);
        classifier.whenClassified(asked, 0, length, catalog, loop.loop(), result -> {
            unit.answer(asked, result);
            resume(Wait.CLASSIFICATION);
        });
        return null;
    }

    // --- placing

    /** Binds the session to a connection on which the unit may run now. @return false when it has to wait */
    private boolean place() {
        if (unit.arrivedNanos == 0) {
            unit.arrivedNanos = loop.nanoTime();
        }
        Access access = AccessRules.of(unit.statements, block, defaults);
        if (!exchange.isBound()) {
            return placeUnbound(access);
        }
        if (!writableEngine()) {
            return false;
        }
        if (exchange.onMaster()) {
            return block.isOpen() || !exchange.isDrained() || masterShowsEnough();
        }
        return placeOnBoundSatellite(access);
    }

    private boolean placeUnbound(Access access) {
        Reason reason = access.masterReason();
        if (reason == null && unit.masterReason == null && !rebegin) {
            if (unit.required == Unit.NOT_ASKED) {
                unit.required = requiredNow();
            }
            Placement placement = loop.services().placer().place(unit.required, loop.nodes());
            switch (placement) {
                case Placement.OnSatellite(var node) -> {
                    return acquire(node, Reason.FRESH_SATELLITE, access.because());
                }
                case Placement.AwaitFreshness ignored -> {
                    if (!patienceOver()) {
                        return awaitFreshness();
                    }
                    unit.masterReason = Reason.WAIT_EXPIRED;
                }
                case Placement.OnMaster(var why) -> unit.masterReason = why;
            }
        }
        if (!masterShowsEnough()) {
            return false;
        }
        Reason why = reason != null ? reason : unit.masterReason != null ? unit.masterReason : Reason.RETRIED;
        return acquire(loop.nodes().master(), why, access.because());
    }

    private boolean placeOnBoundSatellite(Access access) {
        if (exchange.status() == 'E') {
            return true;
        }
        ComputationalNode node = exchange.bound().node();
        if (!block.isOpen()) {
            if (access.isRead() && isFresh(node) && unit.masterReason == null) {
                if (!exchange.isDrained()) {
                    exchange.stopHolding();
                }
                return true;
            }
            if (!exchange.isDrained()) {
                return awaitReplies();
            }
            releaseBackend();
            return placeUnbound(access);
        }
        if (!access.isRead()) {
            return exchange.isDrained() ? moveToMaster(access) : awaitReplies();
        }
        if (!block.takesNewSnapshot() || isFresh(node)) {
            if (!exchange.isDrained()) {
                exchange.stopHolding();
            }
            return true;
        }
        if (!exchange.isDrained()) {
            return awaitReplies();
        }
        if (!patienceOver()) {
            return awaitFreshness();
        }
        unit.masterReason = Reason.WAIT_EXPIRED;
        return moveToMaster(access);
    }

    private boolean isFresh(ComputationalNode node) {
        if (unit.required == Unit.NOT_ASKED) {
            unit.required = requiredNow();
        }
        return unit.required >= 0 && node.serving() && node.applied() >= unit.required;
    }

    private long requiredNow() {
        return freshness.required(loop.services().log(), loop.services().floorHistory(), unit.arrivedNanos);
    }

    private boolean patienceOver() {
        return loop.nanoTime() - unit.arrivedNanos
                >= loop.options().freshnessPatience().toNanos();
    }

    /** The block began on a Satellite, and now needs the Master: it begins anew there if nobody can notice. */
    private boolean moveToMaster(Access access) {
        if (!block.isMovable()) {
            refusalForMove = ErrorFields.error(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "cannot execute on a satellite within this transaction: " + access.because())
                    .withDetail("The transaction is bound to a satellite by its snapshot, cursors or savepoints.")
                    .withHint("Begin the transaction READ WRITE, so that the master executes all of it.");
            return true;
        }
        BackendConnection satellite = exchange.unbind();
        endedOn(satellite.node());
        new RollBackAndRelease(satellite).start();
        rebegin = true;
        return placeUnbound(access);
    }

    private @Nullable ErrorFields refusalForMove;

    /**
     * Whether the Master shows all that Satellites had shown to anyone when the unit arrived. If not, it is asked for a
     * snapshot, again and again: a commit becomes visible there a moment after the relay has confirmed it.
     */
    private boolean masterShowsEnough() {
        MasterVisibility visibility = loop.services().visibility();
        if (unit.mustShow == Unit.NOT_ASKED) {
            unit.mustShow = visibility.shown();
        }
        if (visibility.masterShows(unit.mustShow)) {
            return true;
        }
        if (loop.nanoTime() - unit.arrivedNanos
                >= loop.options().masterPatience().toNanos()) {
            end();
            client.fail(ErrorFields.fatal(
                    SqlState.CANNOT_CONNECT_NOW, "the master does not show what satellites have shown already"));
            return false;
        }
        wait = Wait.VISIBILITY;
        loop.counters().waitedForVisibility();
        loop.services().probe().accept(() -> loop.loop().execute(this::masterWasAsked));
        return false;
    }

    private void masterWasAsked() {
        unit.timesAsked++;
        if (unit.timesAsked <= SNAPSHOTS_WITHOUT_PAUSE) {
            resume(Wait.VISIBILITY);
        } else {
            alarmIn(1, () -> resume(Wait.VISIBILITY));
        }
    }

    private boolean acquire(ComputationalNode node, Reason reason, String because) {
        route = node.id().name() + ": " + reason.text()
                + (reason == Reason.FRESH_SATELLITE || because.equals(reason.text()) ? "" : " (" + because + ")");
        acquiring = node;
        acquiringFor = reason;
        node.transactionBegan();
        BackendConnection connection = loop.backends().of(node).acquire(key, exchange);
        if (connection == null) {
            wait = Wait.CONNECTION;
            return false;
        }
        bind(connection);
        return true;
    }

    void acquired(BackendConnection connection) {
        bind(connection);
        resume(Wait.CONNECTION);
    }

    private void bind(BackendConnection connection) {
        acquiring = null;
        Reason reason = acquiringFor;
        if (reason != null) {
            loop.counters().placed(reason);
        }
        exchange.bind(connection);
        loop.processIds().serves(connection.processId(), processId);
        if (!connection.settings().equals(settings)) {
            sendInternal(connection, Settings.transition(connection.settings(), settings));
            connection.settings(settings);
        }
        if (rebegin) {
            sendInternal(connection, block.beginSql());
            rebegin = false;
        }
    }

    private void sendInternal(BackendConnection connection, String sql) {
        ByteBuf out = connection.buffer(128);
        FrontendMessages.query(out, sql);
        connection.write(out);
        connection.prepared().unnamed(null);
        exchange.expect(Kind.QUERY, Note.INTERNAL);
    }

    void notAcquired(@Nullable ErrorFields error) {
        ComputationalNode node = acquiring;
        acquiring = null;
        if (node != null) {
            node.transactionEnded();
        }
        if (node != null && node.role() == Role.SATELLITE) {
            unit.masterReason = Reason.RETRIED;
            resume(Wait.CONNECTION);
            return;
        }
        if (error != null && !isPassing(error)) {
            end();
            client.fail(error);
            return;
        }
        if (loop.nanoTime() - unit.arrivedNanos
                >= loop.options().masterPatience().toNanos()) {
            end();
            client.fail(
                    error != null
                            ? error
                            : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
            return;
        }
        wait = Wait.RETRY;
        alarmIn(RETRY_MASTER_MILLIS, () -> resume(Wait.RETRY));
    }

    /** Whether the Master, given a moment, may answer otherwise. */
    private static boolean isPassing(ErrorFields error) {
        return switch (error.sqlState()) {
            case SqlState.CANNOT_CONNECT_NOW, SqlState.ADMIN_SHUTDOWN, SqlState.CRASH_SHUTDOWN -> true;
            default -> false;
        };
    }

    // --- waiting

    private boolean awaitFreshness() {
        wait = Wait.FRESHNESS;
        loop.awaitFreshness(this);
        // Looked at once more now that a wake-up is sure to come: it may have become fresh in between.
        if (freshEnoughNow()) {
            loop.stopAwaitingFreshness(this);
            wait = Wait.NOTHING;
            return place();
        }
        long left = loop.options().freshnessPatience().toNanos() - (loop.nanoTime() - unit.arrivedNanos);
        alarmIn(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1), this::freshnessMayHaveChanged);
        return false;
    }

    private boolean freshEnoughNow() {
        if (exchange.isBound()) {
            return isFresh(exchange.bound().node());
        }
        return !(loop.services().placer().place(unit.required, loop.nodes()) instanceof Placement.AwaitFreshness);
    }

    void freshnessMayHaveChanged() {
        if (wait == Wait.FRESHNESS && (freshEnoughNow() || patienceOver())) {
            loop.stopAwaitingFreshness(this);
            loop.counters().waitedForFreshness(loop.nanoTime() - unit.arrivedNanos);
            resume(Wait.FRESHNESS);
        }
    }

    private boolean awaitReplies() {
        wait = Wait.REPLIES;
        return false;
    }

    private boolean writableEngine() {
        BackendConnection backend = exchange.bound();
        if (backend.isWritable()) {
            return true;
        }
        wait = Wait.ENGINE_WRITABLE;
        backend.onWritable(() -> resume(Wait.ENGINE_WRITABLE));
        return false;
    }

    private void resume(Wait over) {
        if (wait == over && !ended) {
            wait = Wait.NOTHING;
            cancelAlarm();
            process();
            loop.backends().flushAll();
        }
    }

    private void alarmIn(long millis, Runnable action) {
        cancelAlarm();
        alarm = loop.loop().schedule(action, millis, TimeUnit.MILLISECONDS);
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
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
        if (!writableEngine()) {
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
        resetting = false;
        for (Statement statement : unit.statements) {
            effect = effect.and(statement.effect());
            resetting |= statement instanceof Statement.Reset || statement instanceof Statement.Discard;
            if (statement instanceof Statement.Set set
                    && (set.name().equals(MultimedSettings.FRESHNESS)
                            || set.name().equals(MultimedSettings.MAX_LAG))
                    && set.value() != null) {
                Map<String, String> now = new HashMap<>(settings.values());
                now.put(set.name(), set.value());
                freshness.choose(MultimedSettings.freshness(now, freshnessAtStart));
            }
        }
        block.sent(unit.statements, defaults);
        unit.reset();
    }

    private @Nullable ErrorFields refusal() {
        ErrorFields refusal = refusalForMove;
        refusalForMove = null;
        for (int i = 0; refusal == null && i < unit.statements.size(); i++) {
            refusal = MultimedSettings.refuse(unit.statements.get(i));
        }
        return refusal;
    }

    /** Has the engine raise the error, so that its transaction fails as it must. */
    private void sendRefusal(ErrorFields refusal) {
        String sql = "DO $multimed$BEGIN RAISE EXCEPTION USING ERRCODE = " + literal(refusal.sqlState())
                + ", MESSAGE = " + literal(refusal.message())
                + (refusal.detail() == null ? "" : ", DETAIL = " + literal(refusal.detail()))
                + (refusal.hint() == null ? "" : ", HINT = " + literal(refusal.hint()))
                + "; END$multimed$";
        unit.statements = List.of();
        sent();
        extended.forgetUnnamed();
        ByteBuf out = exchange.bound().buffer(512);
        FrontendMessages.query(out, sql);
        exchange.bound().write(out);
        exchange.expect(Kind.QUERY, Note.CLIENTS);
    }

    private static String literal(String text) {
        return "E'" + text.replace("\\", "\\\\").replace("'", "''").replace("$multimed$", "") + "'";
    }

    // --- answers of Multimed's own

    private boolean isRouteQuestion() {
        return unit.statements.size() == 1
                && unit.statements.getFirst() instanceof Statement.Show show
                && show.name().equals(MultimedSettings.ROUTE);
    }

    private boolean answerRoute(ByteBuf in, int total) {
        if (!exchange.isDrained()) {
            return awaitReplies();
        }
        in.skipBytes(total);
        unit.reset();
        ByteBuf out = client.buffer(128);
        BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
        BackendMessages.textRow(out, List.of(route));
        BackendMessages.commandComplete(out, "SHOW");
        BackendMessages.readyForQuery(out, exchange.status());
        client.write(out);
        return true;
    }

    private void answerRouteExtended(ByteBuf in, int length) {
        unit.reset();
        ByteBuf out = client.buffer(256);
        int end = in.readerIndex() + length;
        while (in.readerIndex() < end) {
            byte type = in.readByte();
            ByteBuf body = in.readSlice(in.readInt() - 4);
            switch (type) {
                case Frontend.PARSE -> BackendMessages.parseComplete(out);
                case Frontend.BIND -> BackendMessages.bindComplete(out);
                case Frontend.DESCRIBE -> {
                    if (body.readByte() == 'S') {
                        BackendMessages.noParameters(out);
                    }
                    BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
                }
                case Frontend.EXECUTE -> {
                    BackendMessages.textRow(out, List.of(route));
                    BackendMessages.commandComplete(out, "SHOW");
                }
                case Frontend.CLOSE -> BackendMessages.closeComplete(out);
                case Frontend.SYNC -> BackendMessages.readyForQuery(out, (byte) 'I');
                default -> {}
            }
        }
        client.write(out);
    }

    /** A segment that only closes statements and portals, while no transaction is open. */
    private void answerLocally(ByteBuf in, int length) {
        unit.reset();
        ByteBuf out = client.buffer(64);
        int end = in.readerIndex() + length;
        while (in.readerIndex() < end) {
            byte type = in.getByte(in.readerIndex());
            int total = in.getInt(in.readerIndex() + 1) + 1;
            if (type == Frontend.CLOSE) {
                extended.closed(in);
                BackendMessages.closeComplete(out);
            } else if (type == Frontend.SYNC) {
                BackendMessages.readyForQuery(out, (byte) 'I');
            }
            in.skipBytes(total);
        }
        client.write(out);
    }

    // --- replies

    /** Bytes from a Satellite are about to reach the client. */
    void satelliteAnswers(ComputationalNode node) {
        loop.services().visibility().shown(node.forwarded());
        freshness.observedOnSatellite(node, loop.services().log());
    }

    /**
     * What the client is told when the engine reports a parameter. Its application name at the start was set afterwards
     * in the engine session, so a RESET there means that name.
     */
    String reportedTo(String name, String value) {
        return name.equals("application_name") && value.isEmpty() && resetting
                ? settingsAtStart.values().getOrDefault(name, value)
                : value;
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
            freshness.observedOnMaster(loop.services().log());
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
        } else if (!pinned && wait != Wait.ENGINE_WRITABLE && passing == 0) {
            releaseBackend();
        }
    }

    private void askResidue() {
        BackendConnection backend = exchange.bound();
        boolean settingsOnly = effect == SessionEffect.SETTINGS;
        effect = SessionEffect.NONE;
        askingResidue = true;
        exchange.collect(new Residue());
        sendInternal(backend, settingsOnly ? Residue.settingsQuery() : Residue.fullQuery(key.user()));
        keepPinned = settingsOnly && pinned;
    }

    private boolean keepPinned;

    /** @param residue null when the engine could not tell */
    void residueKnown(@Nullable Residue residue) {
        askingResidue = false;
        BackendConnection backend = exchange.bound();
        boolean hold = residue == null || keepPinned || !residue.privateThings().isEmpty();
        if (hold && !pinned) {
            backend.keepPrivate();
        }
        if (residue != null) {
            Map<String, String> now = new HashMap<>(settingsAtStart.values());
            now.putAll(residue.settingsMap());
            settings = LoopContext.settings(now);
            backend.settings(residue.settings());
            defaults = SessionDefaults.of(exchange.reported(), settings.values());
            freshness.choose(MultimedSettings.freshness(settings.values(), freshnessAtStart));
        }
        boolean wasPinned = pinned;
        pinned = hold;
        if (wasPinned && !hold) {
            backend.keepShared();
        }
        unitEnded();
    }

    /** Setting up the engine session for a unit failed; what the unit itself answers tells the client no truth. */
    void preparationFailed(ErrorFields error) {
        if (!exchange.onMaster() && replay != null) {
            exchange.discardReplies();
            return;
        }
        end();
        client.fail(new ErrorFields("FATAL", error.sqlState(), error.message(), error.detail(), error.hint()));
    }

    /** A Satellite could not answer the unit and nothing of it was seen: the Master executes it. */
    void runElsewhere() {
        ByteBuf again = replay;
        replay = null;
        if (again == null) {
            throw new IllegalStateException("nothing to run again");
        }
        BackendConnection satellite = exchange.unbind();
        endedOn(satellite.node());
        new RollBackAndRelease(satellite).start();
        replayOnMaster(again);
    }

    private void replayOnMaster(ByteBuf again) {
        if (replayInBlock) {
            rebegin = true;
        } else {
            block.idle();
        }
        segmentOpen = false;
        client.unread(again);
        unit.reset();
        unit.masterReason = Reason.RETRIED;
        effect = SessionEffect.NONE;
        wait = Wait.NOTHING;
        process();
    }

    /**
     * The engine closed the connection.
     *
     * @param unseen nothing of the unit's answer has reached the client
     * @param interrupted replies were outstanding
     * @param farewell what the engine said last, if the client has been told
     */
    void backendLost(BackendConnection lost, boolean unseen, boolean interrupted, @Nullable ErrorFields farewell) {
        endedOn(lost.node());
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
        if (onSatellite && !interrupted && block.isMovable() && block.isOpen()) {
            rebegin = true;
            unit.masterReason = Reason.RETRIED;
            resume(wait);
            return;
        }
        boolean unknownOutcome = !onSatellite && interrupted && block.isCommitting();
        end();
        if (farewell != null) {
            client.close();
        } else if (unknownOutcome) {
            client.fail(ErrorFields.fatal(
                            SqlState.TRANSACTION_RESOLUTION_UNKNOWN,
                            "the master went away while it executed a transaction; its outcome is unknown")
                    .withHint("Look whether its changes are there before you repeat it."));
        } else {
            client.fail(ErrorFields.fatal(
                    SqlState.CRASH_SHUTDOWN,
                    "terminating connection because " + lost.node().id() + " went away"));
        }
    }

    private void releaseBackend() {
        BackendConnection backend = exchange.unbind();
        endedOn(backend.node());
        backend.release();
    }

    private static void endedOn(ComputationalNode node) {
        node.transactionEnded();
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
        if (backend != null && !exchange.isDrained() && !askingResidue) {
            backend.cancel();
        }
    }

    /** The conversation is over, for whatever reason. The engine rolls back what is open. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        cancelAlarm();
        loop.sessions().remove(this);
        loop.stopAwaitingFreshness(this);
        dropReplay();
        ComputationalNode asked = acquiring;
        if (asked != null) {
            loop.backends().of(asked).forget(exchange);
            endedOn(asked);
            acquiring = null;
        }
        BackendConnection backend = exchange.backend();
        if (backend != null) {
            exchange.unbind();
            endedOn(backend.node());
            backend.discard();
        }
        exchange.clientGone();
    }
}
