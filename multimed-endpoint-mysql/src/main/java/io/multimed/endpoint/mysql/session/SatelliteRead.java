package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ExecuteMessage;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ReplyFlow;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** A client's command as a Satellite executes it. */
sealed interface SatelliteRead {
    /** Returns the first byte of the command whose reply the client gets. */
    int command();

    /** Whether the connection can execute the read with the session's present settings, of which it has been told. */
    default boolean canBeSentOn(SatelliteConnection connection, SessionState state) {
        return true;
    }

    /** Whether the engine may show, behind the read, the warnings of the statement before too: such a read uses no tables. */
    default boolean keepsWarnings() {
        return true;
    }

    /** Returns by what the time is known that such reads take; empty if this cannot be executed on a connection that others use too. */
    default String shape() {
        return "";
    }

    /** Whether the reply shows another number of columns than the client knows of, so that the Master has to tell the client. */
    default boolean isOther(ReplyFlow reply) {
        return false;
    }

    /** Appends the packets. @return whether a reply to COM_STMT_PREPARE precedes that of the command */
    boolean write(SatelliteConnection connection, ByteBuf out);

    /** Records the number of the statement that the Satellite has prepared. */
    default void prepared(SatelliteConnection connection, int number) {}

    /** Records that the client has the reply. */
    default void answered(SatelliteConnection connection, int status, boolean failed) {}

    /** Returns the payload of a command about a prepared statement that has another number. */
    static byte[] renumbered(byte[] payload, int number) {
        byte[] copy = payload.clone();
        Unpooled.wrappedBuffer(copy).setIntLE(1, number);
        return copy;
    }

    private static byte[] bytesOf(ByteBuf message) {
        byte[] bytes = new byte[message.readableBytes()];
        message.readBytes(bytes);
        return bytes;
    }

    /**
     * A statement as text, or another command with one reply.
     *
     * @param shape the statement without literals; empty if it reads no tables, or is another command
     */
    record Text(byte[] payload, String shape) implements SatelliteRead {
        private static final byte[] PING_COMMAND = {MysqlCommand.PING};
        /** Has the engine answer, and nothing else. */
        static final Text PING = new Text(PING_COMMAND, "");

        static Text of(ByteBuf packet, String shape) {
            return new Text(
                    bytesOf(packet.slice(
                            packet.readerIndex() + Packets.HEADER, packet.readableBytes() - Packets.HEADER)),
                    shape);
        }

        @Override
        public int command() {
            return payload.length == 1 ? MysqlCommand.PING : MysqlCommand.QUERY;
        }

        @Override
        public boolean keepsWarnings() {
            return shape.isEmpty();
        }

        @Override
        public boolean write(SatelliteConnection connection, ByteBuf out) {
            Packets.write(out, 0, Unpooled.wrappedBuffer(payload));
            return false;
        }
    }

    /**
     * The execution of a prepared statement. If the Satellite has not prepared it, it does so in the same breath, and executes it under the
     * number that MariaDB has for the statement prepared last.
     *
     * @param longData parameters that the client has sent ahead
     */
    record Execution(MysqlPreparedStatement statement, ExecuteMessage message, List<byte[]> longData)
            implements SatelliteRead {
        static Execution of(MysqlPreparedStatement statement, ExecuteMessage message) {
            return new Execution(
                    statement, message, List.copyOf(statement.ahead().kept()));
        }

        @Override
        public int command() {
            return MysqlCommand.STMT_EXECUTE;
        }

        @Override
        public boolean canBeSentOn(SatelliteConnection connection, SessionState state) {
            return connection.hasPrepared(statement) || statement.origin().isOfNow(state);
        }

        /** Whether it can be executed on a connection that others use too, if the session's settings are those of the preparation. */
        boolean isSharable(SessionState state) {
            return longData.isEmpty()
                    && !message.opensCursor()
                    && !statement.ahead().haveExisted()
                    && statement.origin().isOfNow(state);
        }

        @Override
        public String shape() {
            return statement.shape();
        }

        @Override
        public boolean isOther(ReplyFlow reply) {
            return reply.errorCode() == 0
                    && (reply.columns() != statement.columns()
                            || ServerStatus.has(reply.status(), ServerStatus.METADATA_CHANGED));
        }

        @Override
        public boolean write(SatelliteConnection connection, ByteBuf out) {
            statement.leaveCursor(connection);
            boolean isPrepared = connection.hasPrepared(statement);
            int number = isPrepared ? connection.numberOf(statement) : ExecuteMessage.LAST_PREPARED;
            if (!isPrepared) {
                Packets.write(out, 0, Unpooled.wrappedBuffer(statement.text()));
            }
            commands(number, message).forEach(payload -> Packets.write(out, 0, Unpooled.wrappedBuffer(payload)));
            return !isPrepared;
        }

        /** Returns the payloads of the execution of the statement under a number, and of what precedes it. */
        List<byte[]> commands(int number) {
            return commands(number, message);
        }

        private List<byte[]> commands(int number, ExecuteMessage execution) {
            List<byte[]> all = new ArrayList<>();
            for (byte[] kept : longData) {
                all.add(renumbered(kept, number));
            }
            ByteBuf out = Unpooled.buffer();
            execution.of(number).encode(out);
            all.add(bytesOf(out));
            return all;
        }

        @Override
        public void prepared(SatelliteConnection connection, int number) {
            connection.prepared(statement, number);
        }

        @Override
        public void answered(SatelliteConnection connection, int status, boolean failed) {
            statement.ahead().take();
            statement.cursor(!failed && ServerStatus.has(status, ServerStatus.CURSOR_EXISTS) ? connection : null);
        }

        /** Returns the payloads of commands by which an engine executes the same, and forgets the statement, which it has prepared for that. */
        List<byte[]> once(int number) {
            byte[] close = {MysqlCommand.STMT_CLOSE, 0, 0, 0, 0};
            List<byte[]> all = new ArrayList<>(commands(number, message.withoutCursor()));
            all.add(renumbered(close, number));
            return all;
        }
    }

    /** The start of a transaction whose snapshot is taken at once. It has no reply of its own. */
    record Snapshot(Runnable whenTaken) implements SatelliteRead {
        @Override
        public int command() {
            return MysqlCommand.QUERY;
        }

        @Override
        public boolean write(SatelliteConnection connection, ByteBuf out) {
            throw new IllegalStateException("a transaction is started by a statement of Multimed's own");
        }
    }

    /** The next rows of a cursor, which is on this Satellite alone. */
    record Fetch(MysqlPreparedStatement statement, byte[] payload) implements SatelliteRead {
        @Override
        public int command() {
            return MysqlCommand.STMT_FETCH;
        }

        @Override
        public boolean write(SatelliteConnection connection, ByteBuf out) {
            Packets.write(out, 0, Unpooled.wrappedBuffer(renumbered(payload, connection.numberOf(statement))));
            return false;
        }

        @Override
        public void answered(SatelliteConnection connection, int status, boolean failed) {
            if (failed || ServerStatus.has(status, ServerStatus.LAST_ROW_SENT)) {
                statement.cursor(null);
            }
        }
    }
}
