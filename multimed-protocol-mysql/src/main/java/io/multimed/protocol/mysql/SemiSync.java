package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** The messages that semi-synchronous replication adds to a replication conversation. */
public final class SemiSync {
    /** First byte of the two that precede an event, and of an acknowledgement. */
    public static final int MAGIC = 0xef;

    private static final int NEEDS_ACKNOWLEDGEMENT = 1;

    private SemiSync() {}

    /** Reads the two bytes that precede an event. @return whether the server waits for the event's acknowledgement */
    public static boolean readPrefix(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 2);
        if (in.readUnsignedByte() != MAGIC) {
            throw new MysqlProtocolException("event without the prefix of semi-synchronous replication");
        }
        return (in.readUnsignedByte() & NEEDS_ACKNOWLEDGEMENT) != 0;
    }

    /** Appends the payload of an acknowledgement of everything up to a position in a file. */
    public static void acknowledge(ByteBuf out, String file, long position) {
        out.writeByte(MAGIC).writeLongLE(position).writeCharSequence(file, StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
