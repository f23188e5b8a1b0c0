package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Sends Parse messages, unless the engine holds the statement already, need not know it, or is not bound. */
public final class ParseSender {
    private static final byte[] PARSE_COMPLETE = {Backend.PARSE_COMPLETE, 0, 0, 0, 4};

    private final Exchange exchange;
    private final SqlNames names;
    private final OwnMessages own;
    private final ClientStatements clients;
    private final CurrentAnalysis analysis;
    private final EngineStatements engine;
    private final BooleanSupplier inBlock;
    private final PartialMessage partial;
    private final Failing failing;

    public ParseSender(
            Exchange exchange,
            SqlNames names,
            OwnMessages own,
            ClientStatements clients,
            CurrentAnalysis analysis,
            EngineStatements engine,
            BooleanSupplier inBlock,
            PartialMessage partial,
            Failing failing) {
        this.exchange = exchange;
        this.names = names;
        this.own = own;
        this.clients = clients;
        this.analysis = analysis;
        this.engine = engine;
        this.inBlock = inBlock;
        this.partial = partial;
        this.failing = failing;
    }

    /** Sends the message at the head of {@code in}. A long message need not have arrived completely. */
    void send(ByteBuf in, int total) {
        if (in.readableBytes() < total) {
            longParse(in, total);
            return;
        }
        var parse = ExtendedMessage.Parse.decode(in, in.readerIndex());
        if (parse == null || !clients.mayBeNamed(parse.name())) {
            // The engine refuses such a message before it removes any statement.
            partial.pass(in, total, MessageKind.PARSE, Note.CLIENTS);
        } else if (own.isAskedBy(parse.sql())) {
            ownParse(in, total, parse);
        } else if (parse.name().isEmpty()) {
            unnamedParse(in, total, parse);
        } else {
            namedParse(in, total, parse);
        }
    }

    /**
     * Handles a statement that is too long to be kept. If it is unnamed, it is passed on as it arrives, so that only this engine
     * knows it.
     */
    private void longParse(ByteBuf in, int total) {
        if (in.getByte(in.readerIndex() + 5) != 0) {
            failing.message(
                    in,
                    total,
                    MessageKind.PARSE,
                    SqlState.PROGRAM_LIMIT_EXCEEDED,
                    "a statement of " + total + " bytes cannot be prepared under a name");
            return;
        }
        PreparedStatement statement = PreparedStatement.streamed();
        PreparedStatement before = clients.get("");
        clients.prepare("", statement);
        passUnnamed(in, total, statement, before);
    }

    private void unnamedParse(ByteBuf in, int total, ExtendedMessage.Parse parse) {
        PreparedStatement statement = analysis.newUnnamed(parse);
        PreparedStatement before = clients.get("");
        if (!prepared(in, total, "", statement)) {
            return;
        }
        if (exchange.isBound()) {
            passUnnamed(in, total, statement, before);
        } else {
            in.skipBytes(total);
            answer("", statement, before);
        }
    }

    /**
     * Records the unnamed statement of a plain read that is sent unchanged.
     *
     * @return the note for the reply to its Parse
     */
    Note unnamedRead(ExtendedMessage.Parse parse) {
        PreparedStatement statement = analysis.newUnnamed(parse);
        PreparedStatement before = clients.prepareUnnamed(statement);
        return new Note(false, new Subject.Preparing(statement, "", before, engine.unnamedIs(statement)));
    }

    /** Records the statement of the Parse at the head of {@code in}, which has been answered with another session's reply. */
    void remember(ByteBuf in) {
        var parse = ExtendedMessage.Parse.decode(in, in.readerIndex());
        if (parse != null) {
            PreparedStatement statement = parse.name().isEmpty() ? analysis.newUnnamed(parse) : analysis.shared(parse);
            statement.answeredUnanalysed();
            clients.prepare(parse.name(), statement);
        }
    }

    private void passUnnamed(ByteBuf in, int total, PreparedStatement statement, @Nullable PreparedStatement before) {
        Object heldBefore = engine.unnamedIs(statement);
        partial.pass(
                in,
                total,
                MessageKind.PARSE,
                new Note(false, new Subject.Preparing(statement, "", before, heldBefore)));
    }

    private void namedParse(ByteBuf in, int total, ExtendedMessage.Parse parse) {
        if (!isNameFree(in, total, parse)) {
            return;
        }
        PreparedStatement statement = analysis.shared(parse);
        if (!prepared(in, total, parse.name(), statement)) {
            return;
        }
        // A transaction that has failed refuses to prepare any statement except those that end it.
        if (!exchange.isBound() || (engine.holds(statement) && exchange.status() != 'E')) {
            if (exchange.isBound() && mayHaveFailed()) {
                failing.tryParse(in);
            }
            in.skipBytes(total);
            answer(parse.name(), statement, null);
            return;
        }
        in.skipBytes(total);
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(total + 32);
        engine.prepareAnew(statement, out, new Note(false, new Subject.Preparing(statement, parse.name(), null, null)));
        backend.write(out);
    }

    /** Whether the transaction block has failed, or may fail because of outstanding messages. */
    private boolean mayHaveFailed() {
        return exchange.status() == 'E' || (inBlock.getAsBoolean() && exchange.owed() > 0);
    }

    /** Handles a statement that Multimed itself answers. An engine only looks for errors in a statement that is to be explained. */
    private void ownParse(ByteBuf in, int total, ExtendedMessage.Parse parse) {
        if (exchange.status() == 'E') {
            failing.messageAsItsBlock(in, total, MessageKind.PARSE);
        } else if (parse.name().isEmpty() || isNameFree(in, total, parse)) {
            PreparedStatement statement = PreparedStatement.own(parse.sql(), parse.parameterTypes());
            PreparedStatement before = parse.name().isEmpty() ? clients.get("") : null;
            if (prepared(in, total, parse.name(), statement)) {
                byte[] parsed = exchange.isBound() ? own.parsedFor(parse.sql()) : null;
                if (parsed != null) {
                    failing.tryParse(parsed, parse.parameterTypes());
                }
                in.skipBytes(total);
                answer(parse.name(), statement, before);
            }
        }
    }

    /** Whether the client may prepare a statement under the name. If not, makes the message fail. */
    private boolean isNameFree(ByteBuf in, int total, ExtendedMessage.Parse parse) {
        String name = parse.name();
        if (clients.get(name) != null || names.isTaken(name)) {
            var taken = ErrorFields.error(
                    SqlState.DUPLICATE_PREPARED_STATEMENT, "prepared statement \"" + name + "\" already exists");
            if (own.isAskedBy(parse.sql())) {
                failing.message(in, total, MessageKind.PARSE, taken);
            } else {
                failing.parse(in, total, taken);
            }
            return false;
        }
        if (!clients.hasRoomFor(1)) {
            failing.message(
                    in,
                    total,
                    MessageKind.PARSE,
                    SqlState.CONFIGURATION_LIMIT_EXCEEDED,
                    "too many prepared statements in one session");
            return false;
        }
        return true;
    }

    /** Whether there is room to keep the client's statement. If not, makes the message fail. */
    private boolean prepared(ByteBuf in, int total, String name, PreparedStatement statement) {
        if (clients.prepare(name, statement)) {
            return true;
        }
        failing.message(
                in,
                total,
                MessageKind.PARSE,
                SqlState.OUT_OF_MEMORY,
                "prepared statements of all sessions take too much memory");
        return false;
    }

    /**
     * Answers the Parse.
     *
     * @param before the unnamed statement that it replaces
     */
    private void answer(String name, PreparedStatement statement, @Nullable PreparedStatement before) {
        exchange.answerForEngine(PARSE_COMPLETE, () -> clients.prepareIgnored(name, statement, before));
    }
}
