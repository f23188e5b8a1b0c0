package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Deallocations;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.Kind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.endpoint.pg.session.settings.NameResolution;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends extended query messages to the session's backend and ensures that the client's prepared statements exist there. Names are
 * translated to those that the engine knows, and a missing statement is prepared first.
 */
public final class ExtendedSender {
    private static final byte[] CLOSE_COMPLETE = {Backend.CLOSE_COMPLETE, 0, 0, 0, 4};
    private static final Function<List<Statement>, Note> NOTHING = statements -> Note.CLIENTS;

    private final LoopContext loop;
    private final Exchange exchange;
    private final SqlNames names;
    private final OwnPortals portals;
    private final PortalEffects effects = new PortalEffects();
    private final RouteMessages route;
    private final BlockMessages blocks;
    private final ClientStatements statements;
    private final EngineStatements engine;
    private final NamingSql naming;
    private final PartialMessage partial;
    private final Failing failing;
    private final ParseSender parses;
    private final NameResolution resolution;

    ExtendedSender(
            SessionContext session,
            ExchangeParts parts,
            ClientStatements statements,
            SqlNames names,
            NameResolution resolution,
            BooleanSupplier inBlock,
            Supplier<String> latestRoute) {
        loop = session.loop();
        this.resolution = resolution;
        exchange = parts.exchange();
        this.statements = statements;
        this.names = names;
        partial = parts.partial();
        failing = parts.failing();
        portals = new OwnPortals(exchange);
        route = new RouteMessages(loop, portals, latestRoute, session.key().database());
        blocks = new BlockMessages(portals);
        engine = new EngineStatements(loop, exchange);
        naming = new NamingSql(loop, session.key().database());
        parses = new ParseSender(session, parts, names, route, statements, engine, inBlock);
    }

    /** Forgets all portals, since no transaction is open. */
    public void transactionEnded() {
        portals.forget();
        effects.forget();
    }

    /**
     * Sends the message at the head of {@code in}. A long Bind or Parse need not have arrived completely.
     *
     * @param meaning returns the effect of executing statements on the session
     */
    public void send(ByteBuf in, byte type, int total, Function<List<Statement>, Note> meaning) {
        switch (type) {
            case Frontend.PARSE -> parses.send(in, total);
            case Frontend.BIND -> bind(in, total);
            case Frontend.DESCRIBE -> describe(in, total);
            case Frontend.CLOSE -> close(in, total);
            case Frontend.EXECUTE -> execute(in, total, meaning);
            case Frontend.SYNC -> partial.pass(in, total, Kind.SYNC, Note.CLIENTS);
            default -> partial.pass(in, total);
        }
    }

    // --- without an engine

    /**
     * Whether a segment that needs no engine can be {@link #answer}ed.
     *
     * @param prepares number of statements that it prepares
     * @param length in bytes
     */
    public boolean canAnswer(int prepares, int length) {
        return !names.areAnyTaken()
                && statements.hasRoomFor(prepares)
                && loop.statements().hasRoom(prepares, length);
    }

    /**
     * Sets the statement of the first portal in the segment that is sent or answered next.
     *
     * @param completedAs the tag of a BEGIN, COMMIT or ROLLBACK that is answered here; null if the statement is sent to engines
     */
    public void firstBinds(@Nullable String completedAs) {
        blocks.first(completedAs);
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
                    transactionEnded();
                }
                in.skipBytes(total);
            } else if (type == Frontend.FLUSH) {
                in.skipBytes(total);
            } else {
                send(in, type, total, NOTHING);
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
                send(in, type, total, NOTHING);
            } else {
                if (type == Frontend.PARSE) {
                    parses.remember(in);
                }
                in.skipBytes(total);
            }
        }
        statements.unitBegins();
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

    /** Records the statements that an answered segment, which ends at {@code end}, has prepared. */
    public void remember(ByteBuf in, int end) {
        answeredAlike(in, end, false);
    }

    /**
     * Returns the effects of a Query. Its first statement destroys the unnamed portal unless it fails.
     *
     * @param executed the effects of executing the Query on the session
     * @return these effects together with the effect on that portal
     */
    public Note queryBegins(Note executed) {
        if (!portals.isUnnamedKnown()) {
            return executed;
        }
        Deallocations effects = executed.subject() instanceof Deallocations others ? others : new Deallocations();
        effects.addToFirst(portals::forgetUnnamed);
        return new Note(false, effects);
    }

    /** Notes that a Query was answered with another session's reply. */
    public void queryAnsweredAlike() {
        portals.forgetUnnamed();
    }

    // --- messages

    private void bind(ByteBuf in, int total) {
        int start = in.readerIndex();
        var bind = ExtendedMessage.Bind.decode(in, start);
        if (bind == null) {
            partial.pass(in, total, Kind.BIND, Note.CLIENTS);
            resolution.takesEffect();
            return;
        }
        PreparedStatement statement = statements.getForEngine(bind.statement());
        if (statement == null || engine.isElsewhere(statement)) {
            missing(in, total, Kind.BIND, bind.statement());
            return;
        }
        if (statement.asksRoute()) {
            if (exchange.status() == 'E') {
                failing.messageAsItsBlock(in, total, Kind.BIND);
            } else {
                route.bound(in, total, bind);
                partial.drop(in, total);
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
            failing.message(in, total, Kind.BIND, refusal.sqlState(), refusal.message());
            return;
        }
        String taken = portals.taken(in, bind);
        if (taken != null) {
            var duplicate = ErrorFields.error(SqlState.DUPLICATE_CURSOR, "cursor \"" + taken + "\" already exists");
            failing.messageUnlessItsBlock(in, total, Kind.BIND, duplicate);
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
        exchange.expect(Kind.BIND, renamed(statement, bind.statement()));
        partial.begun(total, bytes);
        resolution.takesEffect();
    }

    private void describe(ByteBuf in, int total) {
        var describe = ExtendedMessage.Named.decode(in, in.readerIndex());
        if (describe != null && describe.kind() == 'S') {
            describeStatement(in, total, describe.name());
        } else if (describe != null && describe.isWellFormed() && portals.describe(describe.name())) {
            in.skipBytes(total);
        } else {
            partial.pass(in, total, Kind.DESCRIBE, Note.CLIENTS);
        }
    }

    private void describeStatement(ByteBuf in, int total, String name) {
        PreparedStatement statement = statements.getForEngine(name);
        if (statement == null || engine.isElsewhere(statement)) {
            missing(in, total, Kind.DESCRIBE, name);
            return;
        }
        if (statement.asksRoute()) {
            if (exchange.status() == 'E') {
                failing.messageAsItsBlock(in, total, Kind.DESCRIBE);
            } else {
                route.statementDescribed();
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
        exchange.expect(Kind.DESCRIBE, executes ? Note.CLIENTS : described(statement, name));
    }

    private void execute(ByteBuf in, int total, Function<List<Statement>, Note> meaning) {
        String again = portals.executedBefore(in);
        String replaced = portals.replaced(in);
        if (again != null) {
            failing.messageUnlessItsBlock(in, total, Kind.EXECUTE, cannotBeRun(again));
        } else if (portals.execute(in)) {
            in.skipBytes(total);
        } else {
            List<Statement> executed = effects.executed(in);
            Note note = !executed.isEmpty()
                    ? meaning.apply(executed)
                    : replaced != null
                            ? new Note(false, new Subject.ExecutedBefore(cannotBeRun(replaced)))
                            : Note.CLIENTS;
            partial.pass(in, total, Kind.EXECUTE, note);
        }
    }

    private static ErrorFields cannotBeRun(String portal) {
        return ErrorFields.error(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "portal \"" + portal + "\" cannot be run");
    }

    private void close(ByteBuf in, int total) {
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
            partial.pass(in, total, Kind.CLOSE, new Note(false, new Subject.Closing(remember)));
            return;
        }
        if (close == null || close.kind() != 'S' || !statements.mayBeNamed(close.name())) {
            partial.pass(in, total, Kind.CLOSE, Note.CLIENTS);
            return;
        }
        if (names.isTaken(close.name()) && statements.get(close.name()) == null) {
            names.closed(close.name());
            partial.pass(
                    in, total, Kind.CLOSE, new Note(false, new Subject.Closing(() -> names.notClosed(close.name()))));
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

    /** The engine's errors must show the client's name of the statement. */
    private static Note renamed(PreparedStatement statement, String clientName) {
        return clientName.isEmpty() ? Note.CLIENTS : new Note(false, new Subject.Renamed(statement, clientName));
    }

    private static Note described(PreparedStatement statement, String clientName) {
        return clientName.isEmpty()
                ? new Note(false, new Subject.Described(statement))
                : renamed(statement, clientName);
    }

    private void missing(ByteBuf in, int total, Kind kind, String name) {
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
