package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.EndpointLimits;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes unit after unit from the client's input: looks at it, has it placed, sends it. A unit that has to wait is left in
 * the input, to be taken again from its first byte.
 */
final class Intake {
    /** A longer unit is not sent behind others'. */
    private static final int MOST_BRIEF_BYTES = 4096;

    private final LoopContext loop;
    private final Session session;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final Unit unit;
    private final SequenceState sequences;
    private final ClientStatements prepared;
    private final ExtendedSender extended;
    private final Placing placing;
    private final UntoldBlock untold;
    private final Instructions instructions;
    private final Pinning pinning;
    private final Replay replay;
    private final Classifying classifying;
    private final OneSnapshot oneSnapshot;
    private final Listening listening;
    private final Unaided unaided;
    private final SegmentScanner scanner = new SegmentScanner();

    /** Extended query messages have been sent that no Sync has followed yet. */
    private boolean segmentOpen;
    /** The engine has been sent such messages that no Sync has followed, be it that what follows is looked at anew. */
    private boolean owesSync;
    /** The client has been told of an error among such messages, and no engine: they are ignored up to Sync. */
    private boolean ignoring;
    /** What was sent last. */
    private List<Statement> sentLast = List.of();
    /** It is such that others may send theirs behind it. */
    private boolean sharing;
    /** What its statements do to the session when they are executed. */
    private Note executing = Note.CLIENTS;
    /** Bytes still to come of a message that was sent before all of it was there. */
    private int passing;
    /** They are for nobody: the beginning was not sent after all. */
    private boolean dropping;
    /** Bytes of messages that were passed on in parts, ever. */
    private long passed;

    Intake(
            LoopContext loop,
            Session session,
            ClientLink client,
            Exchange exchange,
            TransactionBlock block,
            SessionVariables variables,
            Unit unit,
            SequenceState sequences,
            ClientStatements prepared,
            ExtendedSender extended,
            Placing placing,
            UntoldBlock untold,
            Instructions instructions,
            Pinning pinning,
            Replay replay,
            Classifying classifying,
            OneSnapshot oneSnapshot,
            Listening listening) {
        this.loop = loop;
        this.session = session;
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.variables = variables;
        this.unit = unit;
        this.sequences = sequences;
        this.prepared = prepared;
        this.extended = extended;
        this.placing = placing;
        this.untold = untold;
        this.instructions = instructions;
        this.pinning = pinning;
        this.replay = replay;
        this.classifying = classifying;
        this.oneSnapshot = oneSnapshot;
        this.listening = listening;
        unaided = new Unaided(
                client, exchange, block, untold, variables, unit, prepared, extended, placing, pinning, listening);
    }

    /** Whether the end of a segment is still to come. */
    boolean isSegmentOpen() {
        return segmentOpen;
    }

    /** Whether the end of a message is still to come whose beginning was sent. */
    boolean isPassing() {
        return passing > 0;
    }

    /** Rises with every part of a message that comes. */
    long passed() {
        return passed;
    }

    List<Statement> sentLast() {
        return sentLast;
    }

    /** What was sent is taken again, from its beginning. */
    void beginAgain() {
        segmentOpen = false;
    }

    /** @return whether to go on with the input */
    boolean step(ByteBuf in) throws ProtocolException {
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
        if (ignoring && type != Frontend.TERMINATE) {
            return ignore(in, type, total);
        }
        return switch (type) {
            case Frontend.QUERY -> query(in, total);
            case Frontend.COPY_DATA, Frontend.COPY_DONE, Frontend.COPY_FAIL -> copy(in, type, total);
            case Frontend.FUNCTION_CALL -> functionCall(in, total);
            case Frontend.TERMINATE -> terminate();
            default -> extendedMessage(in, type, total);
        };
    }

    private boolean ignore(ByteBuf in, byte type, int total) {
        if (type == Frontend.SYNC) {
            if (in.readableBytes() < total) {
                return false;
            }
            ignoring = false;
            ByteBuf out = client.buffer(8);
            BackendMessages.readyForQuery(out, untold.status());
            client.write(out);
        }
        drop(in, total);
        return true;
    }

    private boolean terminate() {
        if (exchange.isBound() && !exchange.isDrained() && !exchange.copyIn()) {
            // What was sent before is still answered, unless that waits for data that cannot come any more.
            return placing.awaitReplies();
        }
        session.end();
        client.close();
        return false;
    }

    // --- Query, FunctionCall, COPY

    private boolean query(ByteBuf in, int total) {
        boolean whole = total <= loop.options().limits().unitBytes();
        if (whole && in.readableBytes() < total) {
            return false;
        }
        // Without its terminator it is malformed: the engine words the error.
        boolean wellFormed = whole && total > 5 && in.getByte(in.readerIndex() + total - 1) == 0;
        ClassifiedSql sql =
                wellFormed ? classifying.classify(in, in.readerIndex() + 5, total - 6) : ClassifiedSql.UNPARSED;
        if (sql == null) {
            return false;
        }
        unit.statements = sql.statements();
        if (isCancelledUnsent()) {
            answerCancelled(in, total);
            return true;
        }
        if (unaided.takes(true)) {
            return unaided.answer(in, total, false);
        }
        if (!owesSync && unaided.controlsBlock()) {
            in.skipBytes(total);
            Statement control = unit.statements.getFirst();
            boolean failed = untold.status() == 'E';
            sent();
            unaided.control(control, failed);
            return true;
        }
        unit.brief(total <= MOST_BRIEF_BYTES, List.of());
        if (!placing.place() || !oneSnapshot.prepare(unit.statements)) {
            return false;
        }
        prepareBackend();
        ErrorFields refusal = refusal(unit.statements);
        if (refusal != null) {
            drop(in, total);
            sendRefusal(refusal);
            return true;
        }
        if (wellFormed && Pinning.setsByFunction(unit.statements)) {
            pinning.functionSets(in.toString(in.readerIndex() + 5, total - 6, StandardCharsets.ISO_8859_1));
        }
        replay.keep(in, total);
        prepared.forgetUnnamed();
        exchange.expect(Kind.QUERY, noteOfUnit());
        sent();
        pass(in, total);
        sentAll(in);
        return true;
    }

    private Note noteOfUnit() {
        Deallocations deallocations = null;
        for (int i = 0; i < unit.statements.size(); i++) {
            Statement statement = unit.statements.get(i);
            Runnable executed = switch (statement) {
                case Statement.Discard discard
                when discard.what() == Statement.Discard.What.ALL -> this::everythingDiscarded;
                case Statement.Deallocate deallocate -> () -> deallocated(deallocate.name());
                default -> null;
            };
            if (executed != null) {
                deallocations = deallocations == null ? new Deallocations() : deallocations;
                deallocations.add(executed);
            }
        }
        return deallocations == null ? Note.CLIENTS : new Note(false, deallocations);
    }

    private void deallocated(@Nullable String name) {
        if (name == null) {
            allDeallocated();
        } else {
            extended.names().deallocated(name);
        }
    }

    private void allDeallocated() {
        prepared.forgetAll();
        extended.names().forgetAll();
    }

    private void everythingDiscarded() {
        allDeallocated();
        listening.forget(null);
    }

    private boolean functionCall(ByteBuf in, int total) {
        unit.statements = ClassifiedSql.UNPARSED.statements();
        if (isCancelledUnsent()) {
            answerCancelled(in, total);
            return true;
        }
        if (!placing.place()) {
            return false;
        }
        ErrorFields refusal = refusal(unit.statements);
        if (refusal != null) {
            drop(in, total);
            sendRefusal(refusal);
            return true;
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
        if (!placing.writableEngine()) {
            return false;
        }
        pass(in, total);
        if (type != Frontend.COPY_DATA) {
            exchange.copyEnded();
        }
        return true;
    }

    // --- extended query

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
        if (there < total && !canBeSentInParts(type, total, there)) {
            return false;
        }
        // What a Satellite is sent was looked at as a whole, so it is bounded.
        if (exchange.onMaster() && !placing.writableEngine()) {
            return false;
        }
        owesSync = type != Frontend.SYNC;
        if (type == Frontend.SYNC || type == Frontend.FLUSH && !exchange.onMaster()) {
            // On a Satellite what follows a Flush is looked at by itself.
            segmentOpen = false;
        }
        if (type == Frontend.EXECUTE && there >= 4 && in.getInt(in.readerIndex() + total - 4) != 0) {
            block.keepsPortal();
        }
        passing = total - extended.send(in, type, total, executing);
        dropping = extended.dropsRest();
        if (type == Frontend.SYNC) {
            sentAll(in);
        }
        return true;
    }

    /** A Bind is passed on as it comes once its names are there; a Parse is kept, unless it is too long for that. */
    private boolean canBeSentInParts(byte type, int total, int there) {
        EndpointLimits limits = loop.options().limits();
        return there >= limits.unitBytes()
                && switch (type) {
                    case Frontend.BIND -> true;
                    case Frontend.PARSE -> total > limits.statementBytes();
                    default -> false;
                };
    }

    /** Looks at a new segment and places it. @return false when it has to wait */
    private boolean openSegment(ByteBuf in) throws ProtocolException {
        SegmentScanner.Result result = scanner.scan(in, classifying);
        switch (result) {
            case BEING_CLASSIFIED -> {
                return false;
            }
            case MORE_INPUT -> {
                if (in.readableBytes() < loop.options().limits().unitBytes()) {
                    return false;
                }
                unit.statements = ClassifiedSql.UNPARSED.statements();
            }
            case COMPLETE -> {
                if (!scanner.needsEngine() && !exchange.isBound() && scanner.length() > 0) {
                    unaided.answerClosing(in, scanner.length());
                    return true;
                }
                unit.statements = scanner.endsWithSync() || block.isOpen()
                        ? scanner.statements()
                        : ClassifiedSql.UNPARSED.statements();
                if (!(owesSync && exchange.isBound())) {
                    if (untold.status() != 'E' && extended.answersRoute(scanner)) {
                        return unaided.answerRoute(in, scanner.length());
                    }
                    if (unaided.takes(scanner.isPlain())) {
                        return unaided.answer(in, scanner.length(), true);
                    }
                }
            }
        }
        if (isCancelledUnsent()) {
            tellCancelled();
            ignoring = true;
            return true;
        }
        boolean synced = result == SegmentScanner.Result.COMPLETE && scanner.endsWithSync();
        unit.brief(synced && scanner.namesNothing() && scanner.length() <= MOST_BRIEF_BYTES, scanner.uses());
        if (!placing.place() || !oneSnapshot.prepare(unit.statements)) {
            return false;
        }
        prepareBackend();
        ErrorFields refusal =
                refusal(result == SegmentScanner.Result.COMPLETE ? scanner.statements() : unit.statements);
        if (refusal != null) {
            // The engine ignores all of it behind the error, up to Sync.
            extended.refuse(refusal);
            unit.statements = List.of();
        } else if (synced) {
            replay.keep(in, scanner.length());
        }
        if (Pinning.setsByFunction(unit.statements)) {
            scanner.texts().forEach(sql -> pinning.functionSets(new String(sql, StandardCharsets.ISO_8859_1)));
        }
        executing = noteOfUnit();
        sent();
        if (!synced && exchange.onMaster()) {
            // Nobody looks at what follows the Flush.
            pinning.sent(ClassifiedSql.UNPARSED.statements());
            listening.sent(ClassifiedSql.UNPARSED.statements());
        }
        segmentOpen = true;
        return true;
    }

    // --- sending

    private void prepareBackend() {
        listening.recallFor(unit.statements, instructions);
        extended.names().lendFor(unit.statements);
        if (unit.statements.size() == 1 && unit.statements.getFirst() instanceof Statement.DatabaseCommand) {
            loop.closeIdle();
        }
        if (sequences.mustForgetOthers(unit.statements, pinning.isPinned() || exchange.status() == 'E')) {
            instructions.send("DISCARD SEQUENCES", Note.INTERNAL);
        }
    }

    private void sent() {
        sentLast = unit.statements;
        sharing = unit.isBrief && !block.isOpen() && !exchange.onMaster();
        // A Query or FunctionCall ends what messages began that no Sync has followed.
        segmentOpen = false;
        prepared.unitBegins();
        sequences.sent(unit.statements);
        pinning.sent(unit.statements);
        listening.sent(unit.statements);
        extended.names().sent(unit.statements);
        variables.sent(unit.statements);
        block.sent(unit.statements, variables.defaults(), exchange.status() == 'E');
        oneSnapshot.sent();
        unit.reset();
    }

    /** All of the unit has been sent: others may send theirs behind it, unless the client has sent more already. */
    private void sentAll(ByteBuf in) {
        exchange.sentAll(
                sharing && !in.isReadable() && !pinning.isPinned() && !pinning.hasToAsk() && !takesLong(sentLast));
    }

    private boolean takesLong(List<Statement> statements) {
        return !loop.longReads().isEmpty() && loop.longReads().hasAny(statements, loop.nanoTime());
    }

    private void pass(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        exchange.bound().write(in.readRetainedSlice(part));
        passing = total - part;
        dropping = false;
    }

    private boolean passRest(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        passed += Math.min(passing, in.readableBytes());
        if (dropping || !exchange.isBound()) {
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

    /** Takes a message from the input for nobody, and what is still to come of it. */
    private void drop(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        in.skipBytes(part);
        passing = total - part;
        dropping = true;
    }

    /** Whether the unit was cancelled while it waited for an engine: none need hear of it now. */
    private boolean isCancelledUnsent() {
        return unit.cancelled && !exchange.isBound();
    }

    private void answerCancelled(ByteBuf in, int total) {
        drop(in, total);
        tellCancelled();
        prepared.forgetUnnamed();
        ByteBuf out = client.buffer(8);
        BackendMessages.readyForQuery(out, untold.status());
        client.write(out);
    }

    private void tellCancelled() {
        untold.fail();
        unit.reset();
        ByteBuf out = client.buffer(128);
        BackendMessages.error(out, Refusals.CANCELLED);
        client.write(out);
    }

    private @Nullable ErrorFields refusal(List<Statement> statements) {
        ErrorFields refusal = unit.cancelled ? Refusals.CANCELLED : placing.takeRefusal();
        if (exchange.status() == 'E'
                && !statements.isEmpty()
                && !TransactionBlock.mayLeaveFailure(statements.getFirst())) {
            // The engine executes none of it.
            return refusal;
        }
        if (refusal == null) {
            refusal = listening.refuse(statements);
        }
        if (refusal == null) {
            refusal = extended.names().refuse(statements);
        }
        for (int i = 0; refusal == null && i < statements.size(); i++) {
            refusal = Refusals.of(statements.get(i), loop.options().tablespaces());
        }
        return refusal;
    }

    /** Has the engine fail, so that its transaction is aborted as it must be, and the client see this error for it. */
    private void sendRefusal(ErrorFields refusal) {
        unit.statements = List.of();
        sent();
        prepared.forgetUnnamed();
        ByteBuf out = exchange.bound().buffer(512);
        FrontendMessages.query(out, OwnAnswers.FAILING);
        exchange.bound().write(out);
        exchange.expect(Kind.QUERY, new Note(false, new Exchange.Replacement(refusal)));
    }
}
