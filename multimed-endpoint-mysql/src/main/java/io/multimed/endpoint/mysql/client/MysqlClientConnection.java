package io.multimed.endpoint.mysql.client;

import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.session.MysqlClientLink;
import io.multimed.endpoint.mysql.session.MysqlErrors;
import io.multimed.endpoint.mysql.session.MysqlLoop;
import io.multimed.endpoint.mysql.session.MysqlSession;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the channel; closing it needs no answer.
public final class MysqlClientConnection extends PacketInput implements MysqlClientLink {
    private static final Logger LOG = LoggerFactory.getLogger(MysqlClientConnection.class);

    /** Bytes of further commands that are read while one is executed. */
    private static final int MOST_WAITING = 1 << 20;

    private final MysqlLoop loop;
    private final AtomicInteger clients;
    private final int mostClients;
    private final long loginNanos;
    private final Channel channel;
    private @Nullable MysqlSession session;
    private boolean finished;

    /** @param clients number of all clients */
    public MysqlClientConnection(
            MysqlLoop loop, AtomicInteger clients, int mostClients, long loginNanos, Channel channel) {
        this.loop = loop;
        this.clients = clients;
        this.mostClients = mostClients;
        this.loginNanos = loginNanos;
        this.channel = channel;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (clients.incrementAndGet() > mostClients) {
            ByteBuf out = alloc().buffer();
            MysqlErrors.write(out, 0, MysqlErrors.TOO_MANY_CLIENTS);
            write(out);
            finish();
            return;
        }
        MysqlSession begun = MysqlSession.begin(loop, this);
        session = begun;
        ctx.executor()
                .schedule(
                        () -> {
                            if (!begun.isLoggedIn()) {
                                channel.close();
                            }
                        },
                        loginNanos,
                        TimeUnit.NANOSECONDS);
    }

    @Override
    protected void read(ByteBuf in) {
        MysqlSession reader = session;
        if (reader == null || finished) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            reader.read(in);
        } catch (MysqlProtocolException violation) {
            LOG.debug("client {}: {}", channel.remoteAddress(), violation.getMessage());
            in.skipBytes(in.readableBytes());
            reader.refuse();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (waitingBytes() > MOST_WAITING && session != null && (session.isBusy() || !session.isLoggedIn())) {
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    @Override
    public void readOnAgain() {
        channel.config().setAutoRead(true);
        readOn();
    }

    @Override
    protected void ended() {
        clients.decrementAndGet();
        finished = true;
        if (session != null) {
            session.closed();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable() && session != null) {
            session.clientIsWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("A client's connection has failed", cause);
        }
        ctx.close();
    }

    @Override
    public InetSocketAddress remote() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    @Override
    public InetSocketAddress local() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public ByteBufAllocator alloc() {
        return channel.alloc();
    }

    @Override
    public void write(ByteBuf out) {
        channel.write(out);
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public void finish() {
        if (!finished) {
            finished = true;
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }
}
