package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A server's error.
 *
 * @param sqlState five characters; empty in an error before the handshake
 */
public record ErrMessage(int code, String sqlState, String message) {
    /** The code of a report of progress, which is no error and ends nothing. */
    public static final int PROGRESS = 0xffff;

    /** Decodes the payload. */
    public static ErrMessage decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 3);
        if (in.readUnsignedByte() != Reply.ERR) {
            throw new MysqlProtocolException("not an error");
        }
        int code = in.readUnsignedShortLE();
        String sqlState = "";
        if (in.isReadable() && in.getByte(in.readerIndex()) == '#') {
            Fields.require(in, 6);
            sqlState = in.skipBytes(1)
                    .readCharSequence(5, StandardCharsets.US_ASCII)
                    .toString();
        }
        return new ErrMessage(code, sqlState, new String(Fields.readRest(in), StandardCharsets.UTF_8));
    }

    /** Appends the payload. */
    public void encode(ByteBuf out) {
        out.writeByte(Reply.ERR).writeShortLE(code);
        if (!sqlState.isEmpty()) {
            out.writeByte('#').writeCharSequence(sqlState, StandardCharsets.US_ASCII);
        }
        out.writeCharSequence(message, StandardCharsets.UTF_8);
    }
}
