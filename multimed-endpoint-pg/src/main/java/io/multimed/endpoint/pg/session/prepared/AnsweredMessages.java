package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.Frontend;
import io.netty.buffer.ByteBuf;

/** Takes segments that are answered without sending them to an engine: here, or with another session's reply. */
public final class AnsweredMessages {
    private final StatementRegistry registry;
    private final ExtendedSender sender;
    private final SqlNames names;
    private final OwnPortals portals;
    private final ClientStatements statements;
    private final ParseSender parses;
    private final PortalEffects effects;

    public AnsweredMessages(
            StatementRegistry registry,
            ExtendedSender sender,
            SqlNames names,
            OwnPortals portals,
            PortalEffects effects,
            ClientStatements statements,
            ParseSender parses) {
        this.registry = registry;
        this.sender = sender;
        this.names = names;
        this.portals = portals;
        this.effects = effects;
        this.statements = statements;
        this.parses = parses;
    }

    /**
     * Whether a segment that needs no engine can be {@link #answer}ed.
     *
     * @param prepares number of statements that it prepares
     * @param length in bytes
     */
    public boolean canAnswer(int prepares, int length) {
        return !names.areAnyTaken() && statements.hasRoomFor(prepares) && registry.hasRoom(prepares, length);
    }

    /**
     * Answers a segment at the head of {@code in} that needs no engine: one about SHOW multimed.route, one that controls a block
     * that no engine knows, or one that only closes statements or portals.
     */
    public void answer(ByteBuf in, int length, byte status) {
        int end = in.readerIndex() + length;
        while (in.readerIndex() < end) {
            byte type = in.getByte(in.readerIndex());
            int total = in.getInt(in.readerIndex() + 1) + 1;
            if (type == Frontend.SYNC) {
                portals.answer(out -> BackendMessages.readyForQuery(out, status));
                if (status == 'I') {
                    portals.forget();
                    effects.forget();
                }
                in.skipBytes(total);
            } else if (type == Frontend.FLUSH) {
                in.skipBytes(total);
            } else {
                sender.send(in, type, total, statements -> Note.CLIENTS);
            }
        }
        statements.unitBegins();
    }

    /**
     * Takes a segment that ends at {@code end} and is answered with another session's reply, except for a BEGIN.
     *
     * @param begins whether it begins with a BEGIN
     */
    public void answeredAlike(ByteBuf in, int end, boolean begins) {
        boolean inBegin = begins;
        while (in.readerIndex() < end) {
            byte type = in.getByte(in.readerIndex());
            int total = in.getInt(in.readerIndex() + 1) + 1;
            if (inBegin) {
                inBegin = type != Frontend.EXECUTE;
                sender.send(in, type, total, statements -> Note.CLIENTS);
            } else {
                if (type == Frontend.PARSE) {
                    parses.remember(in);
                }
                in.skipBytes(total);
            }
        }
        statements.unitBegins();
    }

    /** Records the statements that an answered segment, which ends at {@code end}, has prepared. */
    public void remember(ByteBuf in, int end) {
        answeredAlike(in, end, false);
    }
}
