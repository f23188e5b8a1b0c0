package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ServerStatus;
import io.multimed.sql.mysql.MysqlStatement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's commands about the statements that it has prepared by COM_STMT_PREPARE.
 *
 * <p>It has more fields and lines than other classes, since each command about a statement changes what the client, the Master and
 * Satellites know of it, all of which is kept here.
 */
final class PreparedStatements {
    private static final int FETCH_LENGTH = 9;
    private static final int NUMBER = 1;
    /** A flag of COM_STMT_BULK_EXECUTE. */
    private static final int SEND_TYPES_TO_SERVER = 128;
    /** The error of an execution whose values do not fit its types. Nothing has been executed. */
    private static final int WRONG_ARGUMENTS = 1210;

    /** Times that a statement is prepared again while there are too many: connections that were given up are being closed. */
    private static final int MOST_TRIES = 20;

    private static final long PAUSE_MILLIS = 10;
    /** A command about a statement that does not exist has no effect. */
    private static final MysqlStatement UNPREPARED = new MysqlStatement(
            false, "", Set.of(), false, false, false, false, false, false, MysqlStatement.Boundary.NONE, true, true);

    private final MysqlSession session;
    private final SatelliteReads satellites;
    private final Runnable goOn;
    private final PreparedRegistry registry;
    private final MasterPreparations preparations;

    /** The statement that the present command concerns; null if it concerns none that is known. */
    private @Nullable MysqlPreparedStatement concerned;
    /** Its execution, with the types of parameters; null if it is not understood, or in more than one packet. */
    private @Nullable ExecuteMessage execution;

    /** The number in the present command. */
    private int named;

    private boolean isMalformed;
    private boolean bringsTypes;
    private int tries;
    /** Whether the Master has to be told MariaDB's number of the statement that was prepared last. */
    private boolean isExecutedAsLast;
    /** Whether that is this one. */
    private boolean isMastersLast;

    private PreparedReply reply = PreparedReply.NONE;

    /** @param goOn continues with the present command */
    PreparedStatements(MysqlSession session, SatelliteReads satellites, Runnable goOn) {
        this.session = session;
        this.satellites = satellites;
        this.goOn = goOn;
        registry = new PreparedRegistry(session);
        preparations = new MasterPreparations(session);
    }

    /** Returns the statements. */
    PreparedRegistry registry() {
        return registry;
    }

    /** Prepares for the next command. */
    void next() {
        concerned = null;
        execution = null;
        isMalformed = false;
        bringsTypes = false;
        tries = 0;
        isExecutedAsLast = false;
        isMastersLast = false;
        reply = PreparedReply.NONE;
    }

    /** Finds the statement that a command concerns. @return the properties of what the command does */
    MysqlStatement find(int command, ByteBuf packet, int length) {
        int at = packet.readerIndex() + Packets.HEADER + NUMBER;
        boolean isComplete = packet.writerIndex() >= at + Integer.BYTES;
        named = isComplete ? packet.getIntLE(at) : 0;
        MysqlPreparedStatement found = isComplete ? registry.find(named) : null;
        concerned = found;
        registry.mayChange();
        if (found == null) {
            return UNPREPARED;
        }
        if (command == MysqlCommand.STMT_BULK_EXECUTE && !found.execution().isRead()) {
            return found.execution();
        }
        if (command != MysqlCommand.STMT_EXECUTE) {
            return MysqlStatement.UNKNOWN;
        }
        try {
            ExecuteMessage message = ExecuteMessage.decode(
                    packet.slice(packet.readerIndex() + Packets.HEADER, length), found.parameters());
            if (named == ExecuteMessage.LAST_PREPARED && message.types() == null && found.parameters() > 0) {
                // Under that number MariaDB wants the types with each execution.
                isExecutedAsLast = true;
                return found.execution();
            }
            bringsTypes = message.types() != null;
            ExecuteMessage complete = found.withTypes(message);
            execution = length < Packets.MAX_LENGTH ? complete : null;
        } catch (MysqlProtocolException malformed) {
            // The Master says so.
            isMalformed = true;
        }
        return found.execution();
    }

    /** Returns the text of the statement that the present command executes; empty if it is not known. */
    String sql(int command) {
        return command != MysqlCommand.STMT_FETCH
                        && command != MysqlCommand.STMT_RESET
                        && concerned != null
                        && concerned.origin().isKept()
                ? concerned.origin().sql()
                : "";
    }

    /** Begins a command about a statement. */
    void begin(int command, ByteBuf packet, int length) {
        MysqlPreparedStatement statement = concerned;
        boolean isWhole = length < Packets.MAX_LENGTH;
        if (statement == null) {
            if (CommandTraits.isUnanswered(command) && isWhole) {
                // The Master would do nothing.
                session.ready();
            } else {
                goOn.run();
            }
            return;
        }
        ErrMessage lost = statement.ahead().error();
        if (lost != null && CommandTraits.usesParameters(command)) {
            fail(command, lost);
            return;
        }
        switch (command) {
            case MysqlCommand.STMT_FETCH -> {
                SatelliteConnection cursor = statement.cursor();
                if (cursor != null && length == FETCH_LENGTH) {
                    satellites.own().fetch(statement, cursor, payload(packet, length));
                } else {
                    goOn.run();
                }
            }
            case MysqlCommand.STMT_SEND_LONG_DATA -> {
                if (isWhole && statement.keepLongData(payload(packet, length))) {
                    session.ready();
                } else {
                    goOn.run();
                }
            }
            case MysqlCommand.STMT_RESET -> {
                if (statement.ahead().haveExisted()) {
                    satellites.own().forget(statement);
                }
                statement.reset();
                if (satellites.last().exists()) {
                    satellites.clearLast(goOn);
                } else {
                    goOn.run();
                }
            }
            case MysqlCommand.STMT_CLOSE -> {
                satellites.own().forget(statement);
                registry.remove(statement);
                if (statement.onMaster().isPrepared()) {
                    goOn.run();
                } else {
                    session.ready();
                }
            }
            default -> goOn.run();
        }
    }

    /** Sends the Master the parameters that were sent ahead. */
    private void sendLongData(MysqlPreparedStatement statement) {
        for (byte[] kept : statement.ahead().take()) {
            statement.onMaster().getsLongData();
            ByteBuf out = session.master().alloc().buffer();
            Packets.write(
                    out,
                    0,
                    Unpooled.wrappedBuffer(
                            SatelliteRead.renumbered(kept, statement.onMaster().number())));
            session.master().write(out);
        }
    }

    /** Returns the present command as a Satellite executes it; null if it is no execution that a Satellite could try. */
    @Nullable
    SatelliteRead execution() {
        MysqlPreparedStatement statement = concerned;
        ExecuteMessage message = execution;
        return statement != null && message != null && statement.isFreeForSatellites()
                ? SatelliteRead.Execution.of(statement, message)
                : null;
    }

    /**
     * Has the Master close a cursor that an execution by a Satellite would leave open.
     *
     * @return whether the session goes on after that
     */
    boolean leaveMastersCursor() {
        MysqlPreparedStatement statement = concerned;
        if (statement == null || !statement.onMaster().hasCursor()) {
            return false;
        }
        resetOnMaster(statement);
        return true;
    }

    private void resetOnMaster(MysqlPreparedStatement statement) {
        byte[] reset = {MysqlCommand.STMT_RESET, 0, 0, 0, 0};
        byte[] command = SatelliteRead.renumbered(reset, statement.onMaster().number());
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), List.of(command), answers -> {
            if (answers == null) {
                session.closed();
            } else {
                statement.onMaster().reset();
                goOn.run();
            }
        });
    }

    /** Whether the execution takes place in another database than the session's. */
    boolean switchDatabase() {
        return execution != null
                && concerned != null
                && !Arrays.equals(concerned.database(), session.state().database());
    }

    /** Returns the database in which the statement finds its tables. */
    byte[] database() {
        return concerned == null ? new byte[0] : concerned.database();
    }

    /** Returns the differences between the Master's reply to the present command and the one for the client. */
    PreparedReply reply() {
        return reply;
    }

    /**
     * Has the Master prepare statements, if the present command may make that impossible later: it may leave something in the session that keeps
     * it on its connection, or settings that cannot be told.
     *
     * @return whether the session goes on after that
     */
    boolean prepareBefore(boolean leavesNothing) {
        List<MysqlPreparedStatement> missing = leavesNothing ? List.of() : registry.unprepared();
        if (missing.isEmpty()) {
            return false;
        }
        registry.preparesAgain();
        preparations.prepare(missing, goOn);
        return true;
    }

    /** Has a new connection prepare the statements whose preparation the client could notice later. */
    void connected(Runnable done) {
        registry.preparesAgain();
        preparations.prepare(registry.neededAtOnce(), done);
    }

    /**
     * Returns the present command as the Master understands it, which knows other numbers and has not seen what Satellites have executed.
     *
     * @return null if the Master is told something first, after which the session goes on
     */
    @Nullable
    ByteBuf toMaster(int command, ByteBuf packet) {
        if (command == MysqlCommand.STMT_PREPARE) {
            reply = PreparedReply.of(0, registry.nextNumber());
            return packet;
        }
        if (!CommandTraits.isAboutStatement(command)) {
            return packet;
        }
        MysqlPreparedStatement statement = concerned;
        if (statement == null) {
            int unknown = registry.isMastersNumber(named) ? PreparedReply.UNKNOWN : named;
            renumber(packet, unknown);
            reply = PreparedReply.of(unknown, named);
            return packet;
        }
        if (isExecutedAsLast && !isMastersLast && registry.isMastersLastOther() && statement.canMove(session.state())) {
            preparations.close(statement);
        }
        if (!statement.onMaster().isPrepared()) {
            if (command == MysqlCommand.STMT_RESET) {
                // A statement that has not been executed needs no more than the answer.
                return ping(packet);
            }
            isMastersLast = true;
            registry.preparesAgain();
            preparations.prepare(statement, error -> prepared(command, error));
            return null;
        }
        if (statement.onMaster().owesReset() && CommandTraits.usesParameters(command)) {
            resetOnMaster(statement);
            return null;
        }
        switch (command) {
            case MysqlCommand.STMT_EXECUTE -> {
                return execution(statement, packet);
            }
            case MysqlCommand.STMT_SEND_LONG_DATA -> {
                sendLongData(statement);
                statement.onMaster().getsLongData();
            }
            case MysqlCommand.STMT_BULK_EXECUTE -> {
                if (statement.masterNeedsTypes() && !bulkBringsTypes(packet)) {
                    tellTypes(command, statement);
                    return null;
                }
                sendLongData(statement);
                statement.onMaster().executes(null);
                statement.forgetTypes();
            }
            default -> {}
        }
        renumber(packet, statement.onMaster().number());
        reply = PreparedReply.of(statement);
        return packet;
    }

    private @Nullable ByteBuf execution(MysqlPreparedStatement statement, ByteBuf packet) {
        if (isExecutedAsLast) {
            // The Master refuses it before it does anything, since it lacks types.
            boolean isKnown = isMastersLast || !registry.isMastersLastOther();
            int last = isKnown ? ExecuteMessage.LAST_PREPARED : PreparedReply.UNKNOWN;
            renumber(packet, last);
            reply = PreparedReply.of(last, named);
            return packet;
        }
        ExecuteMessage complete = execution;
        boolean needsTypes = statement.masterNeedsTypes();
        if (needsTypes && complete == null && !bringsTypes && !isMalformed) {
            tellTypes(MysqlCommand.STMT_EXECUTE, statement);
            return null;
        }
        sendLongData(statement);
        statement.sentToMaster();
        if (isMalformed) {
            statement.forgetTypes();
        }
        int number = statement.onMaster().number();
        reply = PreparedReply.of(statement);
        if (!needsTypes || complete == null) {
            renumber(packet, number);
            return packet;
        }
        ByteBuf payload = Unpooled.buffer();
        ByteBuf out = packet.alloc().buffer();
        complete.of(number).encode(payload);
        Packets.write(out, Packets.sequence(packet, packet.readerIndex()), payload);
        packet.release();
        return out;
    }

    /** Whether a bulk execution has the types of its parameters. Source: MariaDB's documentation, COM_STMT_BULK_EXECUTE. */
    private static boolean bulkBringsTypes(ByteBuf packet) {
        int at = packet.readerIndex() + Packets.HEADER + NUMBER + Integer.BYTES;
        return packet.writerIndex() >= at + Short.BYTES && (packet.getUnsignedShortLE(at) & SEND_TYPES_TO_SERVER) != 0;
    }

    private static void renumber(ByteBuf packet, int number) {
        int at = packet.readerIndex() + Packets.HEADER + NUMBER;
        if (packet.writerIndex() >= at + Integer.BYTES) {
            packet.setIntLE(at, number);
        }
    }

    private static ByteBuf ping(ByteBuf packet) {
        ByteBuf out = packet.alloc().buffer();
        int begun = Packets.begin(out, Packets.sequence(packet, packet.readerIndex()));
        out.writeByte(MysqlCommand.PING);
        Packets.end(out, begun);
        packet.release();
        return out;
    }

    private void prepared(int command, @Nullable ErrMessage error) {
        if (error == null) {
            goOn.run();
            return;
        }
        if (error.code() == MysqlErrors.TOO_MANY_STATEMENTS && tries < MOST_TRIES) {
            tries++;
            later(goOn);
            return;
        }
        if (command == MysqlCommand.STMT_SEND_LONG_DATA && concerned != null) {
            concerned.ahead().fail(error);
        }
        fail(command, error);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    private void later(Runnable action) {
        session.loop().loop().schedule(action, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends a command with an error that the Master would have had for it. */
    private void fail(int command, ErrMessage error) {
        SessionState state = session.state();
        state.statement(sql(command));
        state.warned();
        state.failed(true);
        session.masterReplied();
        if (!CommandTraits.isUnanswered(command)) {
            ByteBuf out = session.client().alloc().buffer();
            MysqlErrors.write(out, 1, command == MysqlCommand.STMT_FETCH ? MysqlErrors.noCursor(named) : error);
            session.client().write(out);
            session.client().flush();
        }
        session.ready();
    }

    /**
     * Records that a command has ended.
     *
     * @param wasOnMaster whether the Master has been sent it
     */
    void ended(int command, boolean wasOnMaster) {
        MysqlPreparedStatement statement = concerned;
        if (command == MysqlCommand.STMT_PREPARE && !wasOnMaster) {
            registry.cancel();
        }
        if (statement == null || !CommandTraits.executes(command) || (wasOnMaster && isExecutedAsLast)) {
            return;
        }
        // Parameters that were sent ahead are those of this execution alone, whether it has taken place or was refused.
        statement.ahead().executed();
        statement.onMaster().isNotExecuted();
    }

    /**
     * Tells the Master the types of parameters, by an execution without the values that it says to have. The Master takes the types, and
     * refuses it before it executes anything.
     */
    private void tellTypes(int command, MysqlPreparedStatement statement) {
        if (statement.onMaster().hasLongData()) {
            // Types cannot be told any more, nor be put into the command, which is another one or not here as a whole.
            fail(command, MysqlErrors.NOT_PREPARED);
            return;
        }
        ByteBuf payload = Unpooled.buffer();
        ExecuteMessage.withoutValues(statement.onMaster().number(), statement.parameters())
                .with(statement.types())
                .encode(payload);
        byte[] bytes = new byte[payload.readableBytes()];
        payload.readBytes(bytes);
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), List.of(bytes), answers -> {
            ErrMessage error = answers == null ? null : answers.get(0).error();
            if (answers == null) {
                session.closed();
            } else if (error == null || error.code() != WRONG_ARGUMENTS) {
                session.hold().lost("the types of parameters cannot be told");
            } else {
                statement.sentToMaster();
                goOn.run();
            }
        });
    }

    /**
     * Records the Master's reply to a command.
     *
     * @param properties of what the command did
     */
    void masterReplied(int command, MysqlStatement properties, MasterExchange exchange) {
        boolean succeeded = exchange.hasSucceeded();
        MysqlPreparedStatement statement = concerned;
        if (command == MysqlCommand.STMT_PREPARE) {
            registry.prepared(succeeded, properties, reply.shown(), exchange.flow());
            return;
        }
        if (statement == null || (isExecutedAsLast && !succeeded)) {
            return;
        }
        PreparedOnMaster onMaster = statement.onMaster();
        switch (command) {
            case MysqlCommand.STMT_EXECUTE -> {
                onMaster.hasCursor(succeeded && ServerStatus.has(exchange.status(), ServerStatus.CURSOR_EXISTS));
                if (succeeded) {
                    onMaster.succeeded();
                    if (statement.columns() > 0 && exchange.flow().columns() > 0) {
                        statement.columns(exchange.flow().columns());
                    }
                }
            }
            case MysqlCommand.STMT_FETCH -> {
                if (!succeeded || ServerStatus.has(exchange.status(), ServerStatus.LAST_ROW_SENT)) {
                    onMaster.hasCursor(false);
                }
            }
            default -> {}
        }
    }

    private static byte[] payload(ByteBuf packet, int length) {
        byte[] payload = new byte[length];
        packet.getBytes(packet.readerIndex() + Packets.HEADER, payload);
        return payload;
    }
}
