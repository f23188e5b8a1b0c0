package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.netty.buffer.ByteBuf;

/** A conversation that Multimed does not follow, such as that of a replica: bytes pass in both directions until one side ends it. */
final class RawRelay implements PacketSink, ClientReader {
    private final MysqlSession session;
    private final EngineLink master;

    RawRelay(MysqlSession session, EngineLink master) {
        this.session = session;
        this.master = master;
    }

    void begin(ByteBuf packet) {
        master.sink(this);
        master.writeAndFlush(packet.retain());
    }

    @Override
    public void clientPackets(ByteBuf in) {
        if (in.isReadable()) {
            master.writeAndFlush(in.readRetainedSlice(in.readableBytes()));
        }
    }

    @Override
    public void packets(ByteBuf in) {
        if (in.isReadable()) {
            session.client().write(in.readRetainedSlice(in.readableBytes()));
            session.client().flush();
            session.watchClient(master);
        }
    }

    @Override
    public void closed() {
        session.closed();
    }
}
