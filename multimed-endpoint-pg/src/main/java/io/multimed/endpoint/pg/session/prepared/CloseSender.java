package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ExtendedMessage;
import io.netty.buffer.ByteBuf;

/** Sends Close messages, unless the statement or the portal is one that the engine need not close. */
public final class CloseSender {
    private static final byte[] CLOSE_COMPLETE = {Backend.CLOSE_COMPLETE, 0, 0, 0, 4};

    private final Exchange exchange;
    private final OwnPortals portals;
    private final ClientStatements statements;
    private final SqlNames names;
    private final PartialMessage partial;

    public CloseSender(
            Exchange exchange,
            OwnPortals portals,
            ClientStatements statements,
            SqlNames names,
            PartialMessage partial) {
        this.exchange = exchange;
        this.portals = portals;
        this.statements = statements;
        this.names = names;
        this.partial = partial;
    }

    /** Sends the message at the head of {@code in}, or answers it. */
    void send(ByteBuf in, int total) {
        var close = ExtendedMessage.Named.decode(in, in.readerIndex());
        if (close != null && close.kind() == 'P' && portals.close(close.name())) {
            in.skipBytes(total);
            return;
        }
        if (close != null && !exchange.isBound()) {
            // No engine has to receive the Close.
            if (close.kind() == 'S') {
                statements.forget(close.name());
            }
            in.skipBytes(total);
            exchange.answer(CLOSE_COMPLETE);
            return;
        }
        if (close != null && close.kind() == 'S' && close.name().isEmpty()) {
            Runnable remember = statements.closeUnnamed();
            partial.pass(in, total, MessageKind.CLOSE, new Note(false, new Subject.Closing(remember)));
            return;
        }
        if (close == null || close.kind() != 'S' || !statements.mayBeNamed(close.name())) {
            partial.pass(in, total, MessageKind.CLOSE, Note.CLIENTS);
            return;
        }
        if (names.isTaken(close.name()) && statements.get(close.name()) == null) {
            names.closed(close.name());
            partial.pass(
                    in,
                    total,
                    MessageKind.CLOSE,
                    new Note(false, new Subject.Closing(() -> names.notClosed(close.name()))));
            return;
        }
        in.skipBytes(total);
        Runnable remember = statements.close(close.name());
        if (remember == null) {
            exchange.answer(CLOSE_COMPLETE);
        } else {
            exchange.answer(CLOSE_COMPLETE, remember);
        }
    }
}
