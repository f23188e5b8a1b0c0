package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;

/** A prepared statement that the client has not prepared by messages, or that no engine can be given any more. */
public final class MissingStatement {
    private final PartialMessage partial;
    private final Failing failing;

    public MissingStatement(PartialMessage partial, Failing failing) {
        this.partial = partial;
        this.failing = failing;
    }

    /** Handles the message at the head of {@code in}, which names it. */
    void named(ByteBuf in, int total, MessageKind kind, String name) {
        if (!name.isEmpty() && !name.startsWith(StatementRegistry.PREFIX)) {
            // The statement may have been prepared by PREPARE. If not, the engine reports that.
            partial.pass(in, total, kind, Note.CLIENTS);
            return;
        }
        failing.message(
                in,
                total,
                kind,
                SqlState.INVALID_SQL_STATEMENT_NAME,
                name.isEmpty()
                        ? "unnamed prepared statement does not exist"
                        : "prepared statement \"" + name + "\" does not exist");
    }
}
