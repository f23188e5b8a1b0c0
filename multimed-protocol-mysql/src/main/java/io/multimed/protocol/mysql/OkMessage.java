package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's OK, or the OK at the end of rows, which replaces EOF.
 *
 * @param header {@link Reply#OK}, or {@link Reply#EOF} at the end of rows
 * @param info as the server has sent it
 * @param changes of the session's state, if the server tracks it
 */
public record OkMessage(
        int header,
        long affectedRows,
        long insertId,
        int status,
        int warnings,
        byte[] info,
        List<StateChange> changes) {
    /**
     * A change of the session's state.
     *
     * @param data name and value of a variable, the name of a database, or what else the type has; as the server has sent it
     */
    public record StateChange(int type, byte[] data) {
        public static final int SYSTEM_VARIABLE = 0;
        public static final int SCHEMA = 1;
        public static final int STATE = 2;
        public static final int GTIDS = 3;
        public static final int TRANSACTION_CHARACTERISTICS = 4;
        public static final int TRANSACTION_STATE = 5;
    }

    /** Decodes the payload. */
    public static OkMessage decode(ByteBuf in, long capabilities) throws MysqlProtocolException {
        Fields.require(in, 1);
        int header = in.readUnsignedByte();
        long affected = readCount(in);
        long insertId = readCount(in);
        Fields.require(in, 4);
        int status = in.readUnsignedShortLE();
        int warnings = in.readUnsignedShortLE();
        byte[] info = in.isReadable() ? Fields.readRest(Fields.readBytes(in)) : new byte[0];
        List<StateChange> changes = new ArrayList<>();
        if (Capability.has(capabilities, Capability.SESSION_TRACK)
                && ServerStatus.has(status, ServerStatus.SESSION_STATE_CHANGED)
                && in.isReadable()) {
            readChanges(Fields.readBytes(in), changes);
        }
        return new OkMessage(header, affected, insertId, status, warnings, info, changes);
    }

    private static void readChanges(ByteBuf all, List<StateChange> changes) throws MysqlProtocolException {
        while (all.isReadable()) {
            int type = all.readUnsignedByte();
            changes.add(new StateChange(type, Fields.readRest(Fields.readBytes(all))));
        }
    }

    /** Reads a number that may have 64 bits, such as an insert ID. */
    private static long readCount(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 1);
        if (in.getUnsignedByte(in.readerIndex()) == 0xfe) {
            Fields.require(in, 9);
            in.skipBytes(1);
            return in.readLongLE();
        }
        return Fields.readInteger(in);
    }

    /** Appends the payload as a client with these capabilities reads it. */
    public void encode(ByteBuf out, long capabilities) {
        out.writeByte(header);
        writeCount(out, affectedRows);
        writeCount(out, insertId);
        boolean tracks = Capability.has(capabilities, Capability.SESSION_TRACK);
        int shown = changes.isEmpty() || !tracks ? status & ~ServerStatus.SESSION_STATE_CHANGED : status;
        out.writeShortLE(shown).writeShortLE(warnings);
        boolean tells = tracks && !changes.isEmpty();
        if (info.length > 0 || tells) {
            Fields.writeBytes(out, info);
        }
        if (tells) {
            ByteBuf all = out.alloc().buffer();
            try {
                for (StateChange change : changes) {
                    all.writeByte(change.type());
                    Fields.writeBytes(all, change.data());
                }
                Fields.writeInteger(out, all.readableBytes());
                out.writeBytes(all);
            } finally {
                all.release();
            }
        }
    }

    private static void writeCount(ByteBuf out, long value) {
        if (value < 0) {
            out.writeByte(0xfe).writeLongLE(value);
        } else {
            Fields.writeInteger(out, value);
        }
    }

    /**
     * Returns the OK of a login with other information. Where there is none, MariaDB leaves out even its length in this OK, so that changes of
     * the session's state stand in its place.
     *
     * @throws MysqlProtocolException if what stands there are no changes
     */
    public OkMessage withLoginInfo(byte[] other) throws MysqlProtocolException {
        List<StateChange> told = new ArrayList<>(changes);
        if (told.isEmpty() && ServerStatus.has(status, ServerStatus.SESSION_STATE_CHANGED)) {
            readChanges(Unpooled.wrappedBuffer(info), told);
        }
        return new OkMessage(header, affectedRows, insertId, status, warnings, other, told);
    }

    /** Returns the message with other changes of the session's state. */
    public OkMessage with(List<StateChange> others) {
        return new OkMessage(header, affectedRows, insertId, status, warnings, info, others);
    }

    /** Returns the message with other flags. */
    public OkMessage withStatus(int other) {
        return new OkMessage(header, affectedRows, insertId, other, warnings, info, changes);
    }
}
