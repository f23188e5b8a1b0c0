package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;

/** The present reader of the client's packets. */
interface ClientReader {
    /** Reads whole packets, as many as it can handle now. */
    void clientPackets(ByteBuf in) throws MysqlProtocolException;
}
