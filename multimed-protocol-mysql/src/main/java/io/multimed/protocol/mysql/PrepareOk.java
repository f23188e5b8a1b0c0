package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;

/** A server's first message after COM_STMT_PREPARE. */
public record PrepareOk(int statement, int columns, int parameters) {
    /** Decodes the payload. */
    public static PrepareOk decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 9);
        if (in.readUnsignedByte() != Reply.OK) {
            throw new MysqlProtocolException("not a prepared statement");
        }
        int statement = in.readIntLE();
        int columns = in.readUnsignedShortLE();
        return new PrepareOk(statement, columns, in.readUnsignedShortLE());
    }

    /** Appends the payload, without warnings. */
    public void encode(ByteBuf out) {
        out.writeByte(Reply.OK).writeIntLE(statement).writeShortLE(columns).writeShortLE(parameters);
        out.writeByte(0).writeShortLE(0);
    }
}
