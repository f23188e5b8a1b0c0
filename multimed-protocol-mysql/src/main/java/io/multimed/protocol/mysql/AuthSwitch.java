package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** A server's request to authenticate with another plugin. */
public record AuthSwitch(String plugin, byte[] data) {
    /** Decodes the payload. */
    public static AuthSwitch decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 1);
        if (in.readUnsignedByte() != Reply.EOF) {
            throw new MysqlProtocolException("not a request for another authentication");
        }
        if (!in.isReadable()) {
            // The oldest form, for passwords of MySQL 4.0.
            return new AuthSwitch("mysql_old_password", new byte[0]);
        }
        return new AuthSwitch(Fields.readTerminatedText(in), Fields.readRest(in));
    }

    /** Returns the data as the scramble of {@link NativePassword}. */
    public byte[] scramble() {
        return Arrays.copyOf(data, NativePassword.LENGTH);
    }

    /** Appends the payload. */
    public void encode(ByteBuf out) {
        out.writeByte(Reply.EOF);
        Fields.writeTerminatedText(out, plugin);
        out.writeBytes(data);
    }
}
