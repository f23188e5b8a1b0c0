package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.settings.NameResolution;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends Bind messages. The engine is given the statement first if it lacks it, under a name that the engine knows. */
public final class BindSender {
    private final Exchange exchange;
    private final EngineStatements engine;
    private final MissingStatement missing;
    private final OwnMessages own;
    private final BlockMessages blocks;
    private final NamingSql naming;
    private final SqlNames names;
    private final OwnPortals portals;
    private final PortalEffects effects;
    private final NameResolution resolution;
    private final PartialMessage partial;
    private final Failing failing;

    public BindSender(
            Exchange exchange,
            EngineStatements engine,
            MissingStatement missing,
            OwnMessages own,
            BlockMessages blocks,
            NamingSql naming,
            SqlNames names,
            OwnPortals portals,
            PortalEffects effects,
            NameResolution resolution,
            PartialMessage partial,
            Failing failing) {
        this.exchange = exchange;
        this.engine = engine;
        this.missing = missing;
        this.own = own;
        this.blocks = blocks;
        this.naming = naming;
        this.names = names;
        this.portals = portals;
        this.effects = effects;
        this.resolution = resolution;
        this.partial = partial;
        this.failing = failing;
    }

    /** Sends the message at the head of {@code in}. A long message need not have arrived completely. */
    void send(ByteBuf in, int total) {
        int start = in.readerIndex();
        var bind = ExtendedMessage.Bind.decode(in, start);
        if (bind == null) {
            partial.pass(in, total, MessageKind.BIND, Note.CLIENTS);
            resolution.takesEffect();
            return;
        }
        PreparedStatement statement = engine.named(bind.statement());
        if (statement == null) {
            missing.named(in, total, MessageKind.BIND, bind.statement());
            return;
        }
        if (statement.isOwn()) {
            if (exchange.status() == 'E') {
                failing.messageAsItsBlock(in, total, MessageKind.BIND);
            } else if (own.bound(in, total, bind, statement)) {
                partial.drop(in, total);
            } else {
                failing.message(in, total, MessageKind.BIND, OwnMessages.TOGETHER);
            }
            return;
        }
        if (blocks.bound(in, bind)) {
            in.skipBytes(total);
            return;
        }
        List<Statement> about = naming.in(statement);
        ErrorFields refusal = names.refuse(about);
        if (refusal != null) {
            // Statements that were examined in advance have been refused before, so this message stands behind a Flush.
            failing.message(in, total, MessageKind.BIND, refusal.sqlState(), refusal.message());
            return;
        }
        String taken = portals.taken(in, bind);
        if (taken != null) {
            var duplicate = ErrorFields.error(SqlState.DUPLICATE_CURSOR, "cursor \"" + taken + "\" already exists");
            failing.messageUnlessItsBlock(in, total, MessageKind.BIND, duplicate);
            return;
        }
        portals.boundToOther(in, bind);
        effects.bound(in, bind, about);
        names.lendAmid(about);
        BackendConnection backend = exchange.bound();
        int bytes = Math.min(total, in.readableBytes());
        ByteBuf out = backend.buffer(bytes + 64);
        engine.ensure(statement, out);
        // Writes the same message with the engine's name in place of the client's.
        byte[] name = statement.engineName().getBytes(StandardCharsets.ISO_8859_1);
        int longer = name.length - (bind.statementEnd() - bind.statementStart());
        out.writeByte(Frontend.BIND).writeInt(total - 1 + longer);
        out.writeBytes(in, start + 5, bind.statementStart() - 5);
        out.writeBytes(name);
        out.writeBytes(in, start + bind.statementEnd(), bytes - bind.statementEnd());
        in.skipBytes(bytes);
        backend.write(out);
        exchange.expect(MessageKind.BIND, new ClientName(bind.statement()).of(statement));
        partial.begun(total, bytes);
        resolution.takesEffect();
    }
}
