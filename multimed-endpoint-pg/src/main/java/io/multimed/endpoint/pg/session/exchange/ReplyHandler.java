package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.session.loop.Analysis;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.ProcessIds;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Receives the engine's replies message by message and decides what the client sees. Replies for which the client has not asked are
 * hidden, and some others are replaced.
 */
final class ReplyHandler {
    private final ExchangeOwner owner;
    private final ClientLink client;
    private final ProcessIds processIds;
    private final Exchange exchange;
    private final SentMessages sent;
    private final Replies replies;
    private final HeldReplies held;
    private final UnitResult result = new UnitResult();
    /**
     * The engine's error when a statement could not be lent, or when a timeout ended Multimed's own statement in the block before
     * the client's statement.
     */
    private byte @Nullable [] notLent;
    /** The engine's announcement that it closes the connection. */
    private @Nullable FatalNotice farewell;
    /** Parameter types of the statement that the engine is describing. */
    private byte[] parameterTypes = {};
    /** The error for which Multimed itself cancels the running statement. */
    private @Nullable ErrorFields cancelledFor;

    ReplyHandler(
            ExchangeOwner owner,
            ClientLink client,
            ProcessIds processIds,
            Exchange exchange,
            SentMessages sent,
            HeldReplies held) {
        this.owner = owner;
        this.client = client;
        this.processIds = processIds;
        this.exchange = exchange;
        this.sent = sent;
        replies = sent.replies();
        this.held = held;
    }

    /** Resets the state for another engine connection. */
    void begin() {
        result.reset();
        farewell = null;
        notLent = null;
        cancelledFor = null;
    }

    /** Sets the error that the client is sent because Multimed cancels the running statement. */
    void cancelledFor(ErrorFields why) {
        cancelledFor = why;
    }

    @Nullable
    FatalNotice farewell() {
        return farewell;
    }

    /** The result of the unit that the engine answers. */
    UnitResult result() {
        return result;
    }

    /**
     * Handles a message.
     *
     * @return whether the client sees it unchanged
     * @throws IllegalStateException if it answers no message that was sent; then its recipient, and that of all following messages,
     *     is unknown, so the connection must be closed
     */
    boolean onMessage(byte type, ByteBuf in, int index, int length) {
        if (!replies.expects(type)) {
            farewell = new FatalNotice(
                    ErrorFields.fatal(
                            SqlState.PROTOCOL_VIOLATION,
                            exchange.bound().node().id() + " has answered what it was not asked"),
                    false);
            throw new IllegalStateException("message '" + (char) type + "' where " + replies.headKind() + " is due");
        }
        return switch (type) {
            case Backend.DATA_ROW -> dataRow(in, index);
            case Backend.READY_FOR_QUERY -> {
                Note note = replies.remove();
                result.ready(note);
                if (!note.internal()) {
                    held.decided();
                    notLent = null;
                    cancelledFor = null;
                }
                yield !note.internal()
                        && !held.isDiscarding()
                        // A block is open for the client.
                        && !exchange.isOwnTransaction()
                        && !(exchange.onMaster()
                                && replies.isEmpty()
                                && in.getByte(index + 5) == 'I'
                                && owner.holdsReady());
            }
            case Backend.COMMAND_COMPLETE, Backend.EMPTY_QUERY_RESPONSE, Backend.PORTAL_SUSPENDED -> {
                sent.copyIn().ended();
                if (type == Backend.COMMAND_COMPLETE
                        && replies.headNote().subject() instanceof Deallocations deallocations) {
                    deallocations.completed(in, index);
                }
                boolean visible = visible();
                if (replies.headKind() == MessageKind.EXECUTE) {
                    replies.remove();
                }
                yield visible;
            }
            case Backend.BIND_COMPLETE -> remove(MessageKind.BIND);
            case Backend.PARSE_COMPLETE -> remove(MessageKind.PARSE);
            case Backend.CLOSE_COMPLETE -> remove(MessageKind.CLOSE);
            case Backend.PARAMETER_DESCRIPTION -> {
                parameterTypes = ByteBufUtil.getBytes(in, index + 5, length - 5);
                yield visible();
            }
            case Backend.ROW_DESCRIPTION, Backend.NO_DATA -> {
                if (replies.headKind() == MessageKind.DESCRIBE) {
                    yield described(replies.remove(), in, index);
                }
                yield !replies.headNote().internal();
            }
            case Backend.ERROR_RESPONSE -> error(in, index);
            case Backend.PARAMETER_STATUS -> parameterStatus(in, index, length);
            case Backend.COPY_IN_RESPONSE, Backend.COPY_BOTH_RESPONSE -> {
                sent.copyBegins();
                yield visible();
            }
            case Backend.NOTICE_RESPONSE ->
                !replies.headNote().internal()
                        && !isSignal(in, index)
                        && (exchange.onMaster() || !DyingWords.areIn(in, index));
            case Backend.NOTIFICATION_RESPONSE -> {
                int channelEnd = in.indexOf(index + 9, index + length, (byte) 0);
                if (owner.hearsShared(in.toString(index + 9, channelEnd - index - 9, StandardCharsets.UTF_8))) {
                    yield false;
                }
                ByteBuf told = client.buffer(length).writeBytes(in, index, length);
                told.setInt(5, processIds.clientOf(in.getInt(index + 5)));
                held.substitute(told);
                yield false;
            }
            default -> visible();
        };
    }

    private boolean isSignal(ByteBuf in, int index) {
        int number = exchange.onMaster() ? Signals.numberIn(in, index) : 0;
        return number < 0 && owner.signalled(number);
    }

    private boolean dataRow(ByteBuf in, int index) {
        if (replies.headNote().internal()) {
            if (replies.headNote().subject() instanceof Residue answer) {
                answer.row(in, index);
            }
            return false;
        }
        held.decided();
        return true;
    }

    private boolean described(Note note, ByteBuf in, int index) {
        switch (note.subject()) {
            case Subject.Described described -> analysed(described.statement(), in, index);
            case Subject.Renamed renamed -> analysed(renamed.statement(), in, index);
            case Subject.Question question ->
                question.answered(new Analysis(parameterTypes, ResultDigest.of(in, index)));
            case null, default -> {}
        }
        return !note.internal();
    }

    private void analysed(PreparedStatement statement, ByteBuf in, int index) {
        if (statement.analysis() == null) {
            statement.analysed(new Analysis(parameterTypes, ResultDigest.of(in, index)));
        }
    }

    /** Whether the client sees this part of the reply, that is, whether the client asked for it. */
    private boolean visible() {
        if (replies.headNote().internal()) {
            return false;
        }
        held.decided();
        return true;
    }

    private boolean remove(MessageKind kind) {
        return replies.headKind() != kind || !replies.remove().internal();
    }

    @SuppressWarnings("ReferenceEquality") // The one note of a failure that Multimed asked for.
    private boolean error(ByteBuf in, int index) {
        Note note = replies.headNote();
        MessageKind kind = replies.headKind();
        ErrorFields error = ErrorFields.decode(in, index);
        if (error.isFatal()) {
            boolean unseen = !exchange.onMaster() && (replies.allInternal() || DyingWords.isLast(error));
            // The client need not learn of a Satellite's end. Its consequences are handled when the connection is
            // closed.
            boolean told = !unseen && !(kind == MessageKind.QUERY && note.internal());
            farewell = new FatalNotice(error, told);
            if (unseen) {
                return false;
            }
        }
        result.fails();
        sent.copyFails(error.sqlState());
        if (kind == MessageKind.QUERY && note.internal()) {
            if (isTimeout(error) && exchange.bound().isInBlock()) {
                // The timeout has aborted the block, as if this were part of the client's statement behind it.
                notLent = ByteBufUtil.getBytes(in, index, 1 + in.getInt(index + 1));
            } else if (ErrorFields.comesFrom("StartTransactionCommand", in, index)) {
                result.lostTransaction(error);
            } else {
                result.internalError(note == Note.INTERNAL_FAILURE ? null : error);
            }
            return false;
        }
        if (note.subject() instanceof Subject.Lent) {
            notLent = ByteBufUtil.getBytes(in, index, 1 + in.getInt(index + 1));
            sent.skipToSync();
            return false;
        }
        if (held.isUndecided() && mayRunElsewhere(error.sqlState())) {
            held.discard();
        }
        if (kind != MessageKind.QUERY && kind != MessageKind.FUNCTION_CALL) {
            sent.failUpToSync();
        }
        if (note.subject() instanceof Subject.LentForQuery) {
            exchange.endQuery();
        }
        if (held.isDiscarding()) {
            return false;
        }
        held.decided();
        boolean inFailedBlock = exchange.status() == 'E';
        if (note.subject() instanceof Subject.Replacement replacement) {
            substitute(inFailedBlock ? replacement.inFailedBlock() : replacement.error());
            return false;
        }
        if (note.subject() instanceof Subject.ExecutedBefore before
                && error.sqlState().equals(SqlState.INVALID_CURSOR_NAME)
                // The portal does not exist; the executed query may refer to another missing portal.
                && ErrorFields.comesFrom("exec_execute_message", in, index)) {
            substitute(inFailedBlock ? Failing.ABORTED : before.again());
            return false;
        }
        if (note.subject() instanceof Subject.QueryReplacement replacement) {
            ByteBuf own = client.buffer(256);
            if (Failing.failedAsMeant(error)) {
                BackendMessages.error(own, replacement.error());
            } else {
                ErrorFields.copyMoving(in, index, -replacement.before(), own);
            }
            held.substitute(own);
            return false;
        }
        ErrorFields denial = Signals.denial(error, exchange.reported().getOrDefault("server_version", ""));
        if (denial != null) {
            substitute(denial);
            return false;
        }
        ErrorFields why = cancelledFor;
        if (why != null && error.sqlState().equals(why.sqlState())) {
            cancelledFor = null;
            substitute(why);
            return false;
        }
        byte[] reason = notLent;
        if (reason != null && followsFromMissing(error)) {
            notLent = null;
            held.substitute(client.buffer(reason.length).writeBytes(reason));
            return false;
        }
        if (note.subject() instanceof Subject.Renamed renamed
                && error.sqlState().equals(SqlState.INVALID_SQL_STATEMENT_NAME)
                && exchange.isBound()) {
            // Code in the engine has deallocated it. It is prepared again for the next session that needs it.
            exchange.bound().prepared().removed(renamed.statement());
        }
        if (note.subject() instanceof Subject.Renamed renamed && error.message().contains(renamed.engineName())) {
            ByteBuf own = client.buffer(256);
            ErrorFields.copyRenaming(in, index, renamed.engineName(), renamed.clientName(), own);
            held.substitute(own);
            return false;
        }
        return true;
    }

    /** Sends the client this error in place of the engine's. */
    private void substitute(ErrorFields error) {
        ByteBuf own = client.buffer(256);
        BackendMessages.error(own, error);
        held.substitute(own);
    }

    /** Whether the unit may succeed on another node. A partial Satellite also lacks objects that others have. */
    private boolean mayRunElsewhere(String sqlState) {
        return SqlState.retryableOnMaster(sqlState)
                || (SqlState.concernsNames(sqlState)
                        && !exchange.bound().node().contents().isWhole());
    }

    private static boolean isTimeout(ErrorFields error) {
        return error.sqlState().equals(SqlState.QUERY_CANCELED)
                || error.sqlState().equals(SqlState.LOCK_NOT_AVAILABLE);
    }

    /**
     * Whether the engine's error results from SQL that names a statement which was not lent: the statement is missing, or the
     * transaction has failed because of that.
     */
    private static boolean followsFromMissing(ErrorFields error) {
        return error.sqlState().equals(SqlState.INVALID_SQL_STATEMENT_NAME)
                || error.sqlState().equals(SqlState.IN_FAILED_TRANSACTION);
    }

    private boolean parameterStatus(ByteBuf in, int index, int length) {
        int nameEnd = in.indexOf(index + 5, index + length, (byte) 0);
        String name = in.toString(index + 5, nameEnd - index - 5, StandardCharsets.UTF_8);
        String value = in.toString(nameEnd + 1, index + length - nameEnd - 2, StandardCharsets.UTF_8);
        String told = owner.reportedTo(name, value);
        if (told.equals(exchange.reported().put(name, told))) {
            return false;
        }
        if (told.equals(value)) {
            return true;
        }
        ByteBuf own = client.buffer(64);
        BackendMessages.parameterStatus(own, name, told);
        held.substitute(own);
        return false;
    }
}
