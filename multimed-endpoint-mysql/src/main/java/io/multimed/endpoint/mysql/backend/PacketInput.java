package io.multimed.endpoint.mysql.backend;

import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/** Collects received bytes until whole packets are there. */
public abstract class PacketInput extends ChannelInboundHandlerAdapter {
    private @Nullable ByteBuf received;
    private boolean reading;

    /** Reads as many whole packets as possible. What is left is offered again with more bytes, or by {@link #readOn}. */
    protected abstract void read(ByteBuf in);

    /** Whether a whole packet begins at the buffer's reader index. */
    public static boolean hasPacket(ByteBuf in) {
        int readable = in.readableBytes();
        return readable >= Packets.HEADER && readable - Packets.HEADER >= Packets.length(in, in.readerIndex());
    }

    /** Returns the number of bytes that have been received and not read. */
    protected final int waitingBytes() {
        return received == null ? 0 : received.readableBytes();
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        received =
                received == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), received, bytes);
        readOn();
    }

    /** Offers the bytes that are left. */
    protected final void readOn() {
        ByteBuf in = received;
        if (in == null || reading) {
            return;
        }
        reading = true;
        try {
            int before;
            do {
                before = in.readableBytes();
                read(in);
            } while (in.isReadable() && in.readableBytes() < before);
        } finally {
            reading = false;
        }
        if (!in.isReadable()) {
            received = null;
            in.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
    }

    private void drop() {
        ByteBuf in = received;
        if (in != null && !reading) {
            received = null;
            in.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        drop();
        ended();
    }

    /** Called once when the connection has ended. */
    protected abstract void ended();
}
