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
 * Has the engine fail in the place of something that it must not execute, so that its transaction is aborted as it must
 * be, and the client see another error for it.
 */
public final class Failing {
    /** SQL that fails, within a transaction block and without, and so fails the transaction as an error must. */
    public static final String SQL = "ROLLBACK TO SAVEPOINT refused_by_multimed";

    /** PostgreSQL's answer to statements in a block that has failed. */
    static final ErrorFields ABORTED = ErrorFields.error(
            SqlState.IN_FAILED_TRANSACTION,
            "current transaction is aborted, commands ignored until end of transaction block");

    /** A statement, or portal, that no client can have. */
    private static final String NOTHING = "multimed_nothing";

    private static final byte[] BEFORE_QUERY = (SQL + ";").getBytes(StandardCharsets.US_ASCII);

    private final Exchange exchange;
    private final PartialMessage partial;

    Failing(Exchange exchange, PartialMessage partial) {
        this.exchange = exchange;
        this.partial = partial;
    }

    /**
     * In place of a Query or FunctionCall message.
     *
     * @param sql of the Query, which the engine parses all the same, since it would report a syntax error first
     */
    public void query(byte[] sql, ErrorFields error) {
        ByteBuf out = exchange.bound().buffer(64 + sql.length);
        FrontendMessages.query(out, BEFORE_QUERY, sql);
        exchange.bound().write(out);
        exchange.expect(Kind.QUERY, new Note(false, new Subject.QueryReplacement(error, BEFORE_QUERY.length)));
    }

    /**
     * Before the first message of a segment, which is at the head of {@code in}, and all of which the engine then ignores.
     * If that is a Parse, the engine parses the statement before.
     */
    public void segment(ByteBuf in, ErrorFields error) {
        if (in.getByte(in.readerIndex()) == Frontend.PARSE) {
            tryParse(in);
        }
        executeNothing(Kind.EXECUTE, error);
    }

    /** Whether this is the error of {@link #SQL}, not one in what follows it. */
    static boolean failedAsMeant(ErrorFields error) {
        return error.sqlState().equals(SqlState.INVALID_SAVEPOINT)
                || error.sqlState().equals(SqlState.NO_ACTIVE_TRANSACTION);
    }

    /** In place of the extended query message at the head of {@code in}, which is dropped. */
    public void message(ByteBuf in, int total, Kind kind, String sqlState, String message) {
        message(in, total, kind, ErrorFields.error(sqlState, message));
    }

    public void message(ByteBuf in, int total, Kind kind, ErrorFields error) {
        partial.drop(in, total);
        executeNothing(kind, error);
    }

    /** As the engine would have any message fail in a block that has: it is not asked about SHOW multimed.route. */
    public void messageAsItsBlock(ByteBuf in, int total, Kind kind) {
        message(in, total, kind, ABORTED);
    }

    /** Likewise, if its block has failed when the engine comes to it; else with this error. */
    public void messageUnlessItsBlock(ByteBuf in, int total, Kind kind, ErrorFields error) {
        partial.drop(in, total);
        executeNothing(kind, new Subject.Replacement(error, ABORTED));
    }

    /**
     * In place of the Parse message at the head of {@code in}, which is dropped. The engine parses the statement all the same,
     * since it would report an error in the statement first.
     */
    public void parse(ByteBuf in, int total, ErrorFields error) {
        tryParse(in);
        partial.drop(in, total);
        executeNothing(Kind.PARSE, error);
    }

    /** Has the engine parse the statement of a Parse message at the head of {@code in}; only an error reaches the client. */
    public void tryParse(ByteBuf in) {
        var parse = isWhole(in) ? ExtendedMessage.Parse.decode(in, in.readerIndex()) : null;
        if (parse == null) {
            return;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(64 + parse.sql().length + parse.parameterTypes().length);
        FrontendMessages.parse(out, NOTHING, parse.sql(), parse.parameterTypes());
        exchange.expect(Kind.PARSE, Note.INTERNAL);
        FrontendMessages.close(out, (byte) 'S', NOTHING);
        exchange.expect(Kind.CLOSE, Note.INTERNAL);
        backend.write(out);
    }

    private static boolean isWhole(ByteBuf in) {
        return in.readableBytes() > in.getInt(in.readerIndex() + 1);
    }

    /** Sends a message that fails, of the client's type where possible: amid COPY data the engine names that. */
    private void executeNothing(Kind kind, ErrorFields error) {
        executeNothing(kind, new Subject.Replacement(error, error));
    }

    private void executeNothing(Kind kind, Subject.Replacement replacement) {
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
