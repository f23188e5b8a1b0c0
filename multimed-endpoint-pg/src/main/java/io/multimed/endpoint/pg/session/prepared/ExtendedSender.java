package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends extended query messages to the session's backend and ensures that the client's prepared statements exist there. Names are
 * translated to those that the engine knows, and a missing statement is prepared first.
 */
public final class ExtendedSender {
    private final BlockMessages blocks;
    private final ClientStatements statements;
    private final PartialMessage partial;
    private final ParseSender parses;
    private final BindSender binds;
    private final DescribeSender describes;
    private final ExecuteSender executes;
    private final CloseSender closes;

    public ExtendedSender(
            BlockMessages blocks,
            ClientStatements statements,
            PartialMessage partial,
            ParseSender parses,
            BindSender binds,
            DescribeSender describes,
            ExecuteSender executes,
            CloseSender closes) {
        this.blocks = blocks;
        this.statements = statements;
        this.partial = partial;
        this.parses = parses;
        this.binds = binds;
        this.describes = describes;
        this.executes = executes;
        this.closes = closes;
    }

    /**
     * Sends the message at the head of {@code in}. A long Bind or Parse need not have arrived completely.
     *
     * @param meaning returns the effect of executing statements on the session
     */
    public void send(ByteBuf in, byte type, int total, Function<List<Statement>, Note> meaning) {
        switch (type) {
            case Frontend.PARSE -> parses.send(in, total);
            case Frontend.BIND -> binds.send(in, total);
            case Frontend.DESCRIBE -> describes.send(in, total);
            case Frontend.CLOSE -> closes.send(in, total);
            case Frontend.EXECUTE -> executes.send(in, total, meaning);
            case Frontend.SYNC -> partial.pass(in, total, MessageKind.SYNC, Note.CLIENTS);
            default -> partial.pass(in, total);
        }
    }

    /**
     * Sets the statement of the first portal in the segment that is sent or answered next.
     *
     * @param completedAs the tag of a BEGIN, COMMIT or ROLLBACK that is answered here; null if the statement is sent to engines
     */
    public void firstBinds(@Nullable String completedAs) {
        blocks.first(completedAs);
    }

    /** The SQL of the Parse, or of the statement of the Bind, at the head of {@code in}; null if unknown. */
    public byte @Nullable [] sqlNamedBy(ByteBuf in, byte type) {
        switch (type) {
            case Frontend.PARSE -> {
                var parse = ExtendedMessage.Parse.decode(in, in.readerIndex());
                return parse == null ? null : parse.sql();
            }
            case Frontend.BIND -> {
                var bind = ExtendedMessage.Bind.decode(in, in.readerIndex());
                PreparedStatement statement = bind == null ? null : statements.get(bind.statement());
                return statement == null ? null : statement.sql();
            }
            default -> {
                return null;
            }
        }
    }
}
