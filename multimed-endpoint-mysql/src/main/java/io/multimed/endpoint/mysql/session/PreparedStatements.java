package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ServerStatus;
import io.multimed.sql.mysql.MysqlStatement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements that the client has prepared by COM_STMT_PREPARE, by the Master's numbers, and the client's commands about them. */
final class PreparedStatements {
    /** Longest text of which Satellites prepare a statement too. */
    private static final int LONGEST_TEXT = 1 << 16;

    private static final int FETCH_LENGTH = 9;
    private static final byte[] NO_BYTES = {};

    private final MysqlSession session;
    private final SatelliteReads satellites;
    private final Runnable goOn;

    private final Map<Integer, MysqlPreparedStatement> statements = new HashMap<>();
    /** The statement that was prepared last; null if that has failed, or it is closed. */
    private @Nullable MysqlPreparedStatement last;

    private byte[] preparing = NO_BYTES;
    private byte[] database = NO_BYTES;
    private int generation;

    /** The statement that the present command concerns; null if it concerns none that is known. */
    private @Nullable MysqlPreparedStatement concerned;
    /** Its execution, with the types of parameters; null if it is not understood, or in more than one packet. */
    private @Nullable ExecuteMessage execution;

    private boolean isMalformed;
    /** Whether the client calls the statement the one that was prepared last. */
    private boolean isByLast;

    /** @param goOn continues with the present command */
    PreparedStatements(MysqlSession session, SatelliteReads satellites, Runnable goOn) {
        this.session = session;
        this.satellites = satellites;
        this.goOn = goOn;
    }

    /** Prepares for the next command. */
    void next() {
        concerned = null;
        execution = null;
        isMalformed = false;
    }

    /** Whether the Master has prepared none. */
    boolean areNone() {
        return statements.isEmpty();
    }

    /** Begins anew: the Master has closed all statements of the session. */
    void clear() {
        statements.clear();
        last = null;
    }

    /** Records what the client wants to prepare. */
    void prepares(ByteBuf packet, MysqlStatement statement) {
        int length = packet.readableBytes() - Packets.HEADER;
        preparing = statement.isRead() && length <= LONGEST_TEXT ? payload(packet, length) : NO_BYTES;
        database = session.state().database();
        generation = session.state().variables().generation();
    }

    /** Finds the statement that a command concerns. @return the properties of what the command does */
    MysqlStatement find(int command, ByteBuf packet, int length) {
        MysqlPreparedStatement found = find(packet);
        concerned = found;
        if (found == null || command != MysqlCommand.STMT_EXECUTE) {
            return MysqlStatement.UNKNOWN;
        }
        try {
            ExecuteMessage message = ExecuteMessage.decode(
                    packet.slice(packet.readerIndex() + Packets.HEADER, length), found.parameters());
            if (isByLast && message.types() == null && found.parameters() > 0) {
                // Under that number MariaDB wants the types with each execution.
                packet.setIntLE(packet.readerIndex() + Packets.HEADER + 1, ExecuteMessage.LAST_PREPARED);
                return found.execution();
            }
            ExecuteMessage complete = found.withTypes(message);
            execution = length < Packets.MAX_LENGTH ? complete : null;
        } catch (MysqlProtocolException malformed) {
            // The Master says so.
            isMalformed = true;
        }
        return found.execution();
    }

    /**
     * MariaDB's number of the statement prepared last is replaced by the statement's own: on the Master it may stand for another one, since
     * Multimed prepares statements there too.
     */
    private @Nullable MysqlPreparedStatement find(ByteBuf packet) {
        int at = packet.readerIndex() + Packets.HEADER + 1;
        if (packet.writerIndex() < at + Integer.BYTES) {
            return null;
        }
        int number = packet.getIntLE(at);
        isByLast = number == ExecuteMessage.LAST_PREPARED;
        if (!isByLast) {
            return statements.get(number);
        }
        if (last != null) {
            packet.setIntLE(at, last.number());
        }
        return last;
    }

    /** Begins a command about a statement. */
    void begin(int command, ByteBuf packet, int length) {
        MysqlPreparedStatement statement = concerned;
        if (statement == null) {
            goOn.run();
            return;
        }
        switch (command) {
            case MysqlCommand.STMT_EXECUTE -> goOn.run();
            case MysqlCommand.STMT_FETCH -> {
                SatelliteConnection cursor = statement.cursor();
                if (cursor != null && length == FETCH_LENGTH) {
                    satellites.own().fetch(statement, cursor, payload(packet, length));
                } else {
                    goOn.run();
                }
            }
            case MysqlCommand.STMT_SEND_LONG_DATA -> {
                if (length < Packets.MAX_LENGTH && statement.keepLongData(payload(packet, length))) {
                    session.ready();
                } else if (statement.masterNeedsTypes()) {
                    tellTypes(statement, () -> longDataToMaster(statement));
                } else {
                    longDataToMaster(statement);
                }
            }
            case MysqlCommand.STMT_RESET -> {
                if (statement.isSoiled()) {
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
                statements.remove(statement.number());
                if (last == statement) {
                    last = null;
                }
                goOn.run();
            }
            default -> {
                sendLongData(statement);
                statement.forgetTypes();
                goOn.run();
            }
        }
    }

    private void longDataToMaster(MysqlPreparedStatement statement) {
        statement.longDataIsMasters();
        sendLongData(statement);
        goOn.run();
    }

    /** Sends the Master the parameters that were sent ahead. */
    private void sendLongData(MysqlPreparedStatement statement) {
        for (byte[] kept : statement.takeLongData()) {
            ByteBuf out = session.master().alloc().buffer();
            Packets.write(out, 0, Unpooled.wrappedBuffer(kept));
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
        if (statement == null || !statement.masterHasCursor()) {
            return false;
        }
        byte[] reset = {MysqlCommand.STMT_RESET, 0, 0, 0, 0};
        Unpooled.wrappedBuffer(reset).setIntLE(1, statement.number());
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), List.of(reset), answers -> {
            if (answers == null) {
                session.closed();
            } else {
                statement.masterHasCursor(false);
                goOn.run();
            }
        });
        return true;
    }

    /** Whether the execution takes place in another database than the session's. */
    boolean switchDatabase() {
        return execution != null
                && concerned != null
                && !Arrays.equals(concerned.database(), session.state().database());
    }

    /** Returns the database in which the statement finds its tables. */
    byte[] database() {
        return concerned == null ? NO_BYTES : concerned.database();
    }

    /**
     * Returns the present command as the Master understands it, which has not seen what Satellites have executed.
     *
     * @return null if the Master is told something first, after which the session goes on
     */
    @Nullable
    ByteBuf toMaster(int command, ByteBuf packet) {
        MysqlPreparedStatement statement = concerned;
        if (statement == null || command != MysqlCommand.STMT_EXECUTE) {
            return packet;
        }
        ExecuteMessage complete = execution;
        boolean needsTypes = statement.masterNeedsTypes();
        if (needsTypes && complete == null) {
            tellTypes(statement, goOn);
            return null;
        }
        sendLongData(statement);
        statement.sentToMaster();
        if (isMalformed) {
            statement.forgetTypes();
        }
        if (!needsTypes || complete == null) {
            return packet;
        }
        ByteBuf payload = Unpooled.buffer();
        ByteBuf out = packet.alloc().buffer();
        complete.encode(payload);
        Packets.write(out, Packets.sequence(packet, packet.readerIndex()), payload);
        packet.release();
        return out;
    }

    /** Tells the Master the types of parameters, by an execution with nothing but nulls. */
    private void tellTypes(MysqlPreparedStatement statement, Runnable done) {
        ByteBuf payload = Unpooled.buffer();
        ExecuteMessage.ofNulls(statement.number(), statement.parameters())
                .with(statement.types())
                .encode(payload);
        byte[] bytes = new byte[payload.readableBytes()];
        payload.readBytes(bytes);
        MysqlOwnStatements.repeat(session.master(), session.masterCapabilities(), List.of(bytes), answers -> {
            if (answers == null) {
                session.closed();
            } else {
                statement.sentToMaster();
                done.run();
            }
        });
    }

    /**
     * Records the Master's reply to a command.
     *
     * @param properties of what the command did
     */
    void masterReplied(int command, MysqlStatement properties, MasterExchange reply) {
        boolean succeeded = reply.hasSucceeded();
        if (command == MysqlCommand.STMT_PREPARE) {
            last = null;
            if (succeeded) {
                last = new MysqlPreparedStatement(
                        reply.preparedNumber(),
                        reply.preparedParameters(),
                        preparing,
                        properties,
                        database,
                        generation);
                statements.put(last.number(), last);
            }
            preparing = NO_BYTES;
        } else if (concerned != null && command == MysqlCommand.STMT_EXECUTE) {
            concerned.masterHasCursor(succeeded && ServerStatus.has(reply.status(), ServerStatus.CURSOR_EXISTS));
        } else if (concerned != null
                && command == MysqlCommand.STMT_FETCH
                && (!succeeded || ServerStatus.has(reply.status(), ServerStatus.LAST_ROW_SENT))) {
            concerned.masterHasCursor(false);
        }
    }

    private static byte[] payload(ByteBuf packet, int length) {
        byte[] payload = new byte[length];
        packet.getBytes(packet.readerIndex() + Packets.HEADER, payload);
        return payload;
    }
}
