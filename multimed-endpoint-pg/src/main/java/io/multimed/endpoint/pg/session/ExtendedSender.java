package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.backend.PreparedOnBackend.Held;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Sends extended query messages to whatever backend the session holds, so that the client's prepared statements are
 * there: names are translated to those the engine knows, and a statement the backend lacks is prepared first.
 */
final class ExtendedSender {
    private static final byte[] PARSE_COMPLETE = {Backend.PARSE_COMPLETE, 0, 0, 0, 4};
    private static final byte[] CLOSE_COMPLETE = {Backend.CLOSE_COMPLETE, 0, 0, 0, 4};
    /** A portal that no client can have: executing it fails, which is what is wanted then. */
    private static final byte[] EXECUTE_NOTHING = executeNothing();

    private final LoopContext loop;
    private final Exchange exchange;
    private final String database;
    private final SqlNames names;
    private final RouteMessages route;
    private final ClientStatements statements;
    /** The message sent last was not passed on: what is still to come of it is for nobody. */
    private boolean dropsRest;

    ExtendedSender(LoopContext loop, Exchange exchange, ClientStatements statements, Placing placing, String database) {
        this.loop = loop;
        this.exchange = exchange;
        this.database = database;
        this.statements = statements;
        names = new SqlNames(exchange, statements);
        route = new RouteMessages(loop, exchange, placing, database);
    }

    /** Names that SQL shares. */
    SqlNames names() {
        return names;
    }

    /** A Sync was answered without an engine. */
    void synchronised(byte status) {
        if (status == 'I') {
            transactionEnded();
        }
    }

    /** No transaction is open, so there are no portals. */
    void transactionEnded() {
        route.forgetPortals();
    }

    /**
     * Sends the message at the head of {@code in}.
     *
     * @param total its length with the type byte; a long Bind or Parse need not be there as a whole
     * @param executing what executing means for the session
     * @return how many bytes of it were taken
     */
    int send(ByteBuf in, byte type, int total, Note executing) {
        dropsRest = false;
        return switch (type) {
            case Frontend.PARSE -> parse(in, total);
            case Frontend.BIND -> bind(in, total);
            case Frontend.DESCRIBE -> describe(in, total);
            case Frontend.CLOSE -> close(in, total);
            case Frontend.EXECUTE -> execute(in, total, executing);
            case Frontend.SYNC -> raw(in, total, Kind.SYNC, Note.CLIENTS);
            default -> forward(in, total);
        };
    }

    /** Has the engine fail before the first message of a segment, and the client see this error for it. */
    void refuse(ErrorFields error) {
        fail(Kind.EXECUTE, error);
    }

    /** Whether the rest of the message that was sent last must not reach the engine. */
    boolean dropsRest() {
        return dropsRest;
    }

    // --- SHOW multimed.route

    /** Whether a segment about nothing else can be answered without an engine. */
    boolean answersRoute(SegmentScanner segment) {
        return segment.isOnlyRoute()
                && !names.areAnyTaken()
                && statements.hasRoomFor(segment.prepared())
                && loop.statements().hasRoom(segment.length());
    }

    /** Answers such a segment, at the head of {@code in}. */
    void answerRoute(ByteBuf in, int length, byte status) {
        int end = in.readerIndex() + length;
        while (in.readerIndex() < end) {
            byte type = in.getByte(in.readerIndex());
            int total = in.getInt(in.readerIndex() + 1) + 1;
            if (type == Frontend.SYNC) {
                route.ready(status);
                synchronised(status);
                in.skipBytes(total);
            } else if (type == Frontend.FLUSH) {
                in.skipBytes(total);
            } else {
                send(in, type, total, Note.CLIENTS);
            }
        }
        statements.unitBegins();
    }

    // --- messages

    private int parse(ByteBuf in, int total) {
        if (in.readableBytes() < total) {
            return longParse(in, total);
        }
        var parse = ExtendedMessage.Parse.decode(in, in.readerIndex());
        if (parse == null) {
            exchange.bound().prepared().unnamed(null);
            statements.unnamedByMessage();
            return raw(in, total, Kind.PARSE, Note.CLIENTS);
        }
        if (!isText(parse.name())) {
            return raw(in, total, Kind.PARSE, Note.CLIENTS);
        }
        boolean asksRoute = route.isAskedBy(parse.sql());
        if (asksRoute && exchange.status() == 'E') {
            return failAsItsBlock(in, total, Kind.PARSE);
        }
        if (parse.name().isEmpty()) {
            PreparedStatement statement = asksRoute
                    ? PreparedStatement.route(parse.sql(), parse.parameterTypes())
                    : new PreparedStatement("", parse.sql(), parse.parameterTypes());
            if (!statements.prepare("", statement)) {
                return noRoom(in, total);
            }
            if (asksRoute) {
                in.skipBytes(total);
                exchange.answer(PARSE_COMPLETE, () -> statements.forgetIfStill("", statement));
                return total;
            }
            exchange.bound().prepared().unnamed(statement);
            return raw(in, total, Kind.PARSE, new Note(false, new Exchange.Preparing(statement, "")));
        }
        if (statements.get(parse.name()) != null || names.isTaken(parse.name())) {
            return fail(
                    in,
                    total,
                    Kind.PARSE,
                    SqlState.DUPLICATE_PREPARED_STATEMENT,
                    "prepared statement \"" + parse.name() + "\" already exists");
        }
        if (!statements.hasRoomFor(1)) {
            return fail(
                    in,
                    total,
                    Kind.PARSE,
                    SqlState.CONFIGURATION_LIMIT_EXCEEDED,
                    "too many prepared statements in one session");
        }
        PreparedStatement statement = asksRoute
                ? PreparedStatement.route(parse.sql(), parse.parameterTypes())
                : loop.statements()
                        .intern(
                                parse.sql(),
                                parse.parameterTypes(),
                                database,
                                loop.services().schemas().version());
        if (!statements.prepare(parse.name(), statement)) {
            return noRoom(in, total);
        }
        if (asksRoute || exchange.bound().prepared().holds(statement)) {
            in.skipBytes(total);
            exchange.answer(PARSE_COMPLETE, () -> statements.forgetIfStill(parse.name(), statement));
            return total;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(total + 32);
        prepare(statement, backend, out, new Note(false, new Exchange.Preparing(statement, parse.name())));
        backend.write(out);
        in.skipBytes(total);
        return total;
    }

    /** A statement too long to be kept: unnamed it is passed on as it comes, so that it is known to this engine alone. */
    private int longParse(ByteBuf in, int total) {
        if (in.getByte(in.readerIndex() + 5) != 0) {
            return fail(
                    in,
                    total,
                    Kind.PARSE,
                    SqlState.PROGRAM_LIMIT_EXCEEDED,
                    "a statement of " + total + " bytes cannot be prepared under a name");
        }
        PreparedStatement statement = PreparedStatement.streamed();
        statements.prepare("", statement);
        exchange.bound().prepared().unnamed(statement);
        return raw(in, total, Kind.PARSE, new Note(false, new Exchange.Preparing(statement, "")));
    }

    private int noRoom(ByteBuf in, int total) {
        return fail(
                in,
                total,
                Kind.PARSE,
                SqlState.OUT_OF_MEMORY,
                "prepared statements of all sessions take too much memory");
    }

    private int bind(ByteBuf in, int total) {
        int start = in.readerIndex();
        var bind = ExtendedMessage.Bind.decode(in, start);
        if (bind == null) {
            return raw(in, total, Kind.BIND, Note.CLIENTS);
        }
        PreparedStatement statement = statements.get(bind.statement());
        if (statement == null || isElsewhere(statement)) {
            return missing(in, total, Kind.BIND, bind.statement());
        }
        int bytes = Math.min(total, in.readableBytes());
        if (statement.asksRoute()) {
            if (exchange.status() == 'E') {
                return failAsItsBlock(in, total, Kind.BIND);
            }
            route.bound(in, total, bind);
            in.skipBytes(bytes);
            dropsRest = true;
            return bytes;
        }
        route.boundToOther(in, bind);
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(bytes + 64);
        ensure(statement, backend, out);
        // The same message with the engine's name in place of the client's.
        byte[] name = statement.engineName().getBytes(StandardCharsets.ISO_8859_1);
        int longer = name.length - (bind.statementEnd() - bind.statementStart());
        out.writeByte(Frontend.BIND).writeInt(total - 1 + longer);
        out.writeBytes(in, start + 5, bind.statementStart() - 5);
        out.writeBytes(name);
        out.writeBytes(in, start + bind.statementEnd(), bytes - bind.statementEnd());
        in.skipBytes(bytes);
        backend.write(out);
        exchange.expect(Kind.BIND, renamed(statement, bind.statement()));
        return bytes;
    }

    private int describe(ByteBuf in, int total) {
        var describe = ExtendedMessage.Named.decode(in, in.readerIndex());
        if (describe == null || describe.kind() != 'S') {
            if (describe != null && route.portalDescribed(describe.name())) {
                in.skipBytes(total);
                return total;
            }
            return raw(in, total, Kind.DESCRIBE, Note.CLIENTS);
        }
        PreparedStatement statement = statements.get(describe.name());
        if (statement == null || isElsewhere(statement)) {
            return missing(in, total, Kind.DESCRIBE, describe.name());
        }
        if (statement.asksRoute()) {
            if (exchange.status() == 'E') {
                return failAsItsBlock(in, total, Kind.DESCRIBE);
            }
            route.statementDescribed();
            in.skipBytes(total);
            return total;
        }
        BackendConnection backend = exchange.bound();
        ByteBuf out = backend.buffer(64);
        ensure(statement, backend, out);
        FrontendMessages.describe(out, (byte) 'S', statement.engineName());
        backend.write(out);
        in.skipBytes(total);
        exchange.expect(Kind.DESCRIBE, renamed(statement, describe.name()));
        return total;
    }

    private int execute(ByteBuf in, int total, Note executing) {
        if (route.executed(in)) {
            in.skipBytes(total);
            return total;
        }
        return raw(in, total, Kind.EXECUTE, executing);
    }

    private int close(ByteBuf in, int total) {
        var close = ExtendedMessage.Named.decode(in, in.readerIndex());
        if (close != null && close.kind() == 'P' && route.portalClosed(close.name())) {
            in.skipBytes(total);
            return total;
        }
        if (close == null || close.kind() != 'S' || close.name().isEmpty() || !isText(close.name())) {
            if (close != null && close.kind() == 'S') {
                statements.forgetUnnamed();
            }
            return raw(in, total, Kind.CLOSE, Note.CLIENTS);
        }
        if (names.isTaken(close.name())) {
            names.closed(close.name());
            return raw(in, total, Kind.CLOSE, Note.CLIENTS);
        }
        in.skipBytes(total);
        Runnable remember = statements.close(close.name());
        if (remember == null) {
            exchange.answer(CLOSE_COMPLETE);
        } else {
            exchange.answer(CLOSE_COMPLETE, remember);
        }
        return total;
    }

    /** Whether only another engine session knows it, if any does still. */
    private boolean isElsewhere(PreparedStatement statement) {
        return statement.isStreamed() && exchange.bound().prepared().unnamed() != statement;
    }

    /** Names that are no text the engine refuses, if only it sees them. */
    private boolean isText(String name) {
        return ExtendedMessage.isText(name)
                || !exchange.reported().getOrDefault("client_encoding", "UTF8").equals("UTF8");
    }

    /** Makes sure that the backend holds the statement, by a Parse of its own if need be. */
    private void ensure(PreparedStatement statement, BackendConnection backend, ByteBuf out) {
        PreparedOnBackend prepared = backend.prepared();
        if (statement.engineName().isEmpty()) {
            if (prepared.unnamed() != statement) {
                prepared.unnamed(statement);
                FrontendMessages.parse(out, "", statement.sql(), statement.parameterTypes());
                exchange.expect(Kind.PARSE, new Note(true, new Exchange.Preparing(statement, null)));
            }
        } else if (!prepared.holds(statement)) {
            prepareInternally(statement, backend, out);
        }
    }

    private void prepareInternally(PreparedStatement statement, BackendConnection backend, ByteBuf out) {
        prepare(statement, backend, out, new Note(true, new Exchange.Preparing(statement, null)));
    }

    private void prepare(PreparedStatement statement, BackendConnection backend, ByteBuf out, Note note) {
        for (Held evicted : backend.prepared().evict()) {
            FrontendMessages.close(out, (byte) 'S', evicted.name());
            exchange.expect(Kind.CLOSE, new Note(true, evicted));
        }
        FrontendMessages.parse(out, statement.engineName(), statement.sql(), statement.parameterTypes());
        exchange.expect(Kind.PARSE, note);
        backend.prepared().added(statement, statement.engineName(), statement.size());
    }

    private static Note renamed(PreparedStatement statement, String clientName) {
        return clientName.isEmpty() ? Note.CLIENTS : new Note(false, new Exchange.Renamed(statement, clientName));
    }

    private int missing(ByteBuf in, int total, Kind kind, String name) {
        if (!name.isEmpty() && !name.startsWith(StatementRegistry.PREFIX)) {
            // Perhaps prepared by PREPARE; if not, the engine says so.
            return raw(in, total, kind, Note.CLIENTS);
        }
        return fail(
                in,
                total,
                kind,
                SqlState.INVALID_SQL_STATEMENT_NAME,
                name.isEmpty()
                        ? "unnamed prepared statement does not exist"
                        : "prepared statement \"" + name + "\" does not exist");
    }

    /** What the engine would say of any statement: it is not asked about SHOW multimed.route. */
    private int failAsItsBlock(ByteBuf in, int total, Kind kind) {
        return fail(
                in,
                total,
                kind,
                SqlState.IN_FAILED_TRANSACTION,
                "current transaction is aborted, commands ignored until end of transaction block");
    }

    /** Has the engine fail at this place, and the client see this error for it. */
    private int fail(ByteBuf in, int total, Kind kind, String sqlState, String message) {
        int bytes = Math.min(total, in.readableBytes());
        in.skipBytes(bytes);
        dropsRest = true;
        fail(kind, ErrorFields.error(sqlState, message));
        return bytes;
    }

    private void fail(Kind kind, ErrorFields error) {
        BackendConnection backend = exchange.bound();
        backend.write(backend.buffer(EXECUTE_NOTHING.length).writeBytes(EXECUTE_NOTHING));
        exchange.expect(kind, new Note(false, new Exchange.Replacement(error)));
    }

    private int raw(ByteBuf in, int total, Kind kind, Note note) {
        exchange.expect(kind, note);
        return forward(in, total);
    }

    private int forward(ByteBuf in, int total) {
        int bytes = Math.min(total, in.readableBytes());
        exchange.bound().write(in.readRetainedSlice(bytes));
        return bytes;
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
