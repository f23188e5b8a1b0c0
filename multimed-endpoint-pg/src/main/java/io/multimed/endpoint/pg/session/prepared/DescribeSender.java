package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Sends Describe messages, unless the portal or the statement is one that no engine knows. */
public final class DescribeSender {
    private final Exchange exchange;
    private final EngineStatements engine;
    private final MissingStatement missing;
    private final OwnMessages own;
    private final BlockMessages blocks;
    private final NamingSql naming;
    private final SqlNames names;
    private final OwnPortals portals;
    private final PartialMessage partial;
    private final Failing failing;

    public DescribeSender(
            Exchange exchange,
            EngineStatements engine,
            MissingStatement missing,
            OwnMessages own,
            BlockMessages blocks,
            NamingSql naming,
            SqlNames names,
            OwnPortals portals,
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
        this.partial = partial;
        this.failing = failing;
    }

    /** Sends the message at the head of {@code in}, or answers it. */
    void send(ByteBuf in, int total) {
        var describe = ExtendedMessage.Named.decode(in, in.readerIndex());
        if (describe != null && describe.kind() == 'S') {
            describeStatement(in, total, describe.name());
        } else if (describe != null && describe.isWellFormed() && portals.describe(describe.name())) {
            in.skipBytes(total);
        } else {
            partial.pass(in, total, MessageKind.DESCRIBE, Note.CLIENTS);
        }
    }

    private void describeStatement(ByteBuf in, int total, String name) {
        PreparedStatement statement = engine.named(name);
        if (statement == null) {
            missing.named(in, total, MessageKind.DESCRIBE, name);
            return;
        }
        if (statement.isOwn()) {
            if (exchange.status() == 'E') {
                failing.messageAsItsBlock(in, total, MessageKind.DESCRIBE);
            } else {
                own.statementDescribed(statement);
                in.skipBytes(total);
            }
            return;
        }
        if (!exchange.isBound()) {
            blocks.statementDescribed();
            in.skipBytes(total);
            return;
        }
        List<Statement> about = exchange.status() == 'E' ? List.of() : naming.in(statement);
        boolean executes = about.stream().anyMatch(Statement.ExecutePrepared.class::isInstance);
        if (executes) {
            names.lendAmid(about);
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(64 + (executes ? statement.size() : 0));
        if (executes) {
            // The engine determines the result columns of an EXECUTE when it prepares it. The stored result may be that
            // of another client.
            engine.prepareAnew(statement, out);
        } else {
            engine.ensure(statement, out);
        }
        FrontendMessages.describe(out, (byte) 'S', statement.engineName());
        backend.write(out);
        in.skipBytes(total);
        exchange.expect(MessageKind.DESCRIBE, executes ? Note.CLIENTS : new ClientName(name).described(statement));
    }
}
