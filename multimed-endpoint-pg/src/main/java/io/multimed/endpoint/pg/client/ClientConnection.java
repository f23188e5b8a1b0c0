package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.session.ClientLink;
import io.multimed.endpoint.pg.session.LoopContext;
import io.multimed.endpoint.pg.session.Session;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: keeps what it sent until it is taken, and hands the start-up to {@link Startup}, everything
 * after to the {@link Session}.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientLink {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    private final LoopContext loop;
    private final ClientShared shared;
    private final Channel channel;
    private ByteBuf input = Unpooled.EMPTY_BUFFER;
    private @Nullable Startup startup;
    private @Nullable Conversation conversation;
    private @Nullable ScheduledFuture<?> unreadAlarm;
    private boolean counted;

    /** Whoever takes the input of an authenticated client. */
    interface Conversation {
        void process();

        void writable();

        void end();
    }

    public ClientConnection(LoopContext loop, ClientShared shared, Channel channel) {
        this.loop = loop;
        this.shared = shared;
        this.channel = channel;
    }

    LoopContext loop() {
        return loop;
    }

    ClientShared shared() {
        return shared;
    }

    Channel channel() {
        return channel;
    }

    void converse(Conversation next) {
        startup = null;
        conversation = next;
        next.process();
    }

    /** Counts this client among those connected. */
    boolean enter() {
        counted = shared.clients().enter();
        return counted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        startup = new Startup(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf more = (ByteBuf) message;
        if (input.isReadable()) {
            ByteBuf joined = channel.alloc().buffer(Math.max(256, 2 * (input.readableBytes() + more.readableBytes())));
            if (input.refCnt() == 1 && input.maxFastWritableBytes() >= more.readableBytes()) {
                joined.release();
                input.writeBytes(more);
                more.release();
            } else {
                joined.writeBytes(input).writeBytes(more);
                input.release();
                more.release();
                input = joined;
            }
        } else {
            input.release();
            input = more;
        }
        take();
    }

    private void take() {
        Startup starting = startup;
        Conversation talking = conversation;
        if (starting != null) {
            starting.process();
        } else if (talking != null) {
            talking.process();
        }
        if (!input.isReadable() && input.refCnt() > 0 && input.capacity() > 0) {
            input.release();
            input = Unpooled.EMPTY_BUFFER;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        loop.backends().flushAll();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            if (unreadAlarm != null) {
                unreadAlarm.cancel(false);
                unreadAlarm = null;
            }
            if (conversation != null) {
                conversation.writable();
            }
        } else if (unreadAlarm == null) {
            unreadAlarm = loop.loop()
                    .schedule(
                            () -> channel.close(),
                            loop.options().clientWriteTimeout().toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (startup != null) {
            startup.end();
            startup = null;
        }
        if (conversation != null) {
            conversation.end();
            conversation = null;
        }
        if (unreadAlarm != null) {
            unreadAlarm.cancel(false);
        }
        if (counted) {
            counted = false;
            shared.clients().leave();
        }
        if (input.refCnt() > 0) {
            input.release();
            input = Unpooled.EMPTY_BUFFER;
        }
        loop.backends().flushAll();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !(cause.getCause() instanceof IOException)) {
            LOG.error(
                    "What client {} sent could not be handled; its connection is closed",
                    channel.remoteAddress(),
                    cause);
        }
        ctx.close();
    }

    // --- ClientLink

    @Override
    public ByteBuf input() {
        return input;
    }

    @Override
    public void unread(ByteBuf bytes) {
        if (input.isReadable()) {
            ByteBuf joined = channel.alloc().buffer(bytes.readableBytes() + input.readableBytes());
            joined.writeBytes(bytes).writeBytes(input);
            bytes.release();
            input.release();
            input = joined;
        } else {
            input.release();
            input = bytes;
        }
    }

    @Override
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    @Override
    public void write(ByteBuf bytes) {
        channel.write(bytes, channel.voidPromise());
        loop.backends().flushLater(channel);
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void reading(boolean wanted) {
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    @Override
    public void fail(ErrorFields error) {
        ByteBuf out = buffer(256);
        BackendMessages.error(out, error);
        channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void close() {
        // Behind everything written so far.
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}
