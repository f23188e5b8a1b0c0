package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;

/**
 * The header of an event of the binary log. In a replication conversation, an OK byte and with semi-synchronous replication two more
 * bytes precede it.
 *
 * @param length of the event, this header and the checksum included
 * @param nextPosition in the file; 0 in events that are in no file
 */
public record BinlogEventHeader(long timestamp, int type, long serverId, long length, long nextPosition, int flags) {
    public static final int BYTES = 19;

    public static final int QUERY = 2;
    public static final int STOP = 3;
    public static final int ROTATE = 4;
    public static final int FORMAT_DESCRIPTION = 15;
    public static final int XID = 16;
    public static final int HEARTBEAT = 27;
    public static final int XA_PREPARE = 38;
    public static final int GTID = 162;
    public static final int GTID_LIST = 163;
    public static final int START_ENCRYPTION = 164;
    public static final int QUERY_COMPRESSED = 165;

    /** Flag of an event that the server makes for one replica, and that is in no file. */
    public static final int ARTIFICIAL = 0x20;

    /** Decodes the header, which may be followed by its event. */
    public static BinlogEventHeader decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, BYTES);
        return new BinlogEventHeader(
                in.readUnsignedIntLE(),
                in.readUnsignedByte(),
                in.readUnsignedIntLE(),
                in.readUnsignedIntLE(),
                in.readUnsignedIntLE(),
                in.readUnsignedShortLE());
    }

    /**
     * The body of a GTID event.
     *
     * @param flags see the constants
     */
    public record Gtid(long sequence, long domain, int flags) {
        /** The event group is one statement, without BEGIN and an end. */
        public static final int STANDALONE = 1;

        public static final int TRANSACTIONAL = 4;
        public static final int PREPARED_XA = 64;
        public static final int COMPLETED_XA = 128;
        /** The statement changes a schema. */
        public static final int DDL = 32;

        /** Decodes the body behind the header. */
        public static Gtid decode(ByteBuf in) throws MysqlProtocolException {
            Fields.require(in, 13);
            return new Gtid(in.readLongLE(), in.readUnsignedIntLE(), in.readUnsignedByte());
        }
    }
}
