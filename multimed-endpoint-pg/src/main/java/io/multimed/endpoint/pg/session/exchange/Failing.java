package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.protocol.pg.ErrorFields;
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

    /** What is executed in a block that has failed comes to this, in PostgreSQL's words. */
    static final ErrorFields ABORTED = ErrorFields.error(
            SqlState.IN_FAILED_TRANSACTION,
            "current transaction is aborted, commands ignored until end of transaction block");

    /** A portal that no client can have: executing it fails. */
    private static final byte[] EXECUTE_NOTHING = executeNothing();

    private final Exchange exchange;
    private final PartialMessage partial;

    Failing(Exchange exchange, PartialMessage partial) {
        this.exchange = exchange;
        this.partial = partial;
    }

    /** In place of a Query or FunctionCall message. */
    public void query(ErrorFields error) {
        ByteBuf out = exchange.bound().buffer(64);
        FrontendMessages.query(out, SQL);
        exchange.bound().write(out);
        exchange.expect(Kind.QUERY, new Note(false, new Subject.Replacement(error)));
    }

    /** Before the first message of a segment, all of which the engine then ignores. */
    public void segment(ErrorFields error) {
        executeNothing(Kind.EXECUTE, error);
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

    private void executeNothing(Kind kind, ErrorFields error) {
        BackendConnection backend = exchange.bound();
        backend.write(backend.buffer(EXECUTE_NOTHING.length).writeBytes(EXECUTE_NOTHING));
        exchange.expect(kind, new Note(false, new Subject.Replacement(error)));
    }

    private static byte[] executeNothing() {
        byte[] portal = "multimed_nothing".getBytes(StandardCharsets.ISO_8859_1);
        byte[] message = new byte[1 + 4 + portal.length + 1 + 4];
        message[0] = Frontend.EXECUTE;
        message[4] = (byte) (message.length - 1);
        System.arraycopy(portal, 0, message, 5, portal.length);
        return message;
    }
}
