package io.multimed.endpoint.mysql.backend;

import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;

/** The present receiver of what an engine sends. */
public interface PacketSink {
    /** Reads the whole packets in the buffer, as many as belong to it. */
    void packets(ByteBuf in) throws MysqlProtocolException;

    /** Called once when the connection has ended. */
    void closed();
}
