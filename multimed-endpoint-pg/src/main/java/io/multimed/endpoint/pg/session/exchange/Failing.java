package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Makes the engine fail in place of a message that it must not execute. So the engine's transaction is aborted as it must be, and
 * the client sees another error.
 */
public final class Failing {
    /** SQL that fails inside and outside a transaction block, and so makes the transaction fail as an error must. */
    public static final String SQL = "ROLLBACK TO SAVEPOINT refused_by_multimed";

    /** PostgreSQL's answer to statements in a transaction block that has failed. */
    static final ErrorFields ABORTED = ErrorFields.error(
            SqlState.IN_FAILED_TRANSACTION,
            "current transaction is aborted, commands ignored until end of transaction block");

    /** Name of a statement or portal that no client can have. */
    private static final String NOTHING = "multimed_nothing";

    private static final byte[] BEFORE_QUERY = (SQL + ";").getBytes(StandardCharsets.US_ASCII);

    private final Exchange exchange;
    private final PartialMessage partial;

    public Failing(Exchange exchange, PartialMessage partial) {
        this.exchange = exchange;
        this.partial = partial;
    }

    /**
     * Sends a Query that fails, in place of a Query or FunctionCall message.
     *
     * @param sql the text of the Query; the engine parses it all the same, since it would report a syntax error first
     */
    public void query(byte[] sql, ErrorFields error) {
        ByteBuf out = exchange.bound().buffer(64 + sql.length);
        FrontendMessages.query(out, BEFORE_QUERY, sql);
        exchange.bound().write(out);
        exchange.expect(MessageKind.QUERY, new Note(false, new Subject.QueryReplacement(error, BEFORE_QUERY.length)));
    }

    /**
     * Makes a segment fail before its first message, which is at the head of {@code in}. The engine then ignores the whole segment.
     * If the first message is a Parse, the engine parses the statement beforehand.
     */
    public void segment(ByteBuf in, ErrorFields error) {
        if (in.getByte(in.readerIndex()) == Frontend.PARSE) {
            tryParse(in);
        }
        executeNothing(MessageKind.EXECUTE, error);
    }

    /** Whether this is the error of {@link #SQL}, not an error in the text that follows it. */
    static boolean failedAsMeant(ErrorFields error) {
        return error.sqlState().equals(SqlState.INVALID_SAVEPOINT)
                || error.sqlState().equals(SqlState.NO_ACTIVE_TRANSACTION);
    }

    /** Sends a message that fails, in place of the extended query message at the head of {@code in}, which is dropped. */
    public void message(ByteBuf in, int total, MessageKind kind, String sqlState, String message) {
        message(in, total, kind, ErrorFields.error(sqlState, message));
    }

    public void message(ByteBuf in, int total, MessageKind kind, ErrorFields error) {
        partial.drop(in, total);
        executeNothing(kind, error);
    }

    /**
     * Makes the message fail as any message fails in an aborted transaction block. Used for statements that Multimed itself answers.
     */
    public void messageAsItsBlock(ByteBuf in, int total, MessageKind kind) {
        message(in, total, kind, ABORTED);
    }

    /**
     * Makes the message fail. If the engine's block has failed when it reaches the message, the error is that of an aborted
     * transaction block; otherwise it is this error.
     */
    public void messageUnlessItsBlock(ByteBuf in, int total, MessageKind kind, ErrorFields error) {
        partial.drop(in, total);
        executeNothing(kind, new Subject.Replacement(error, ABORTED));
    }

    /**
     * Sends a message that fails, in place of the Parse message at the head of {@code in}, which is dropped. The engine parses the
     * statement all the same, since it would report an error in the statement first.
     */
    public void parse(ByteBuf in, int total, ErrorFields error) {
        tryParse(in);
        partial.drop(in, total);
        executeNothing(MessageKind.PARSE, error);
    }

    /** Makes the engine parse the statement of a Parse message at the head of {@code in}. Only an error reaches the client. */
    public void tryParse(ByteBuf in) {
        var parse = isWhole(in) ? ExtendedMessage.Parse.decode(in, in.readerIndex()) : null;
        if (parse == null) {
            return;
        }
        tryParse(parse.sql(), parse.parameterTypes());
    }

    /** Makes the engine parse a statement. Only an error reaches the client. */
    public void tryParse(byte[] sql, byte[] parameterTypes) {
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(64 + sql.length + parameterTypes.length);
        FrontendMessages.parse(out, NOTHING, sql, parameterTypes);
        exchange.expect(MessageKind.PARSE, Note.INTERNAL);
        FrontendMessages.close(out, (byte) 'S', NOTHING);
        exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
        backend.write(out);
    }

    private static boolean isWhole(ByteBuf in) {
        return in.readableBytes() > in.getInt(in.readerIndex() + 1);
    }

    /**
     * Sends a message that fails, of the client's message type where possible, because the engine names the type in its error
     * during COPY.
     */
    private void executeNothing(MessageKind kind, ErrorFields error) {
        executeNothing(kind, new Subject.Replacement(error, error));
    }

    private void executeNothing(MessageKind kind, Subject.Replacement replacement) {
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(64);
        switch (kind) {
            case BIND -> FrontendMessages.bind(out, NOTHING);
            case DESCRIBE -> FrontendMessages.describe(out, (byte) 'P', NOTHING);
            default -> FrontendMessages.execute(out, NOTHING);
        }
        backend.write(out);
        exchange.expect(kind, new Note(false, replacement));
    }
}
