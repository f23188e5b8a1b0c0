package io.multimed.endpoint.mysql.client;

import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.config.MysqlTls;
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
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
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
    private final MysqlEndpointOptions options;
    private final Channel channel;
    private @Nullable MysqlSession session;
    private boolean finished;

    /** @param clients number of all clients */
    public MysqlClientConnection(MysqlLoop loop, AtomicInteger clients, MysqlEndpointOptions options, Channel channel) {
        this.loop = loop;
        this.clients = clients;
        this.options = options;
        this.channel = channel;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (clients.incrementAndGet() > options.clients()) {
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
                        options.waits().login().toNanos(),
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
        if (cause.getCause() instanceof SSLException violation) {
            LOG.debug("client {}: {}", channel.remoteAddress(), violation.getMessage());
        } else if (!(cause instanceof IOException)) {
            LOG.error("A client's connection has failed", cause);
        }
        ctx.close();
    }

    @Override
    public boolean offersTls() {
        return options.tls() != null;
    }

    @Override
    public boolean requiresTls() {
        MysqlTls tls = options.tls();
        return tls != null && tls.required().test(remote().getAddress());
    }

    @Override
    public void beginTls(ByteBuf in) {
        MysqlTls tls = options.tls();
        if (tls == null) {
            throw new IllegalStateException("TLS without a certificate");
        }
        ByteBuf encrypted = in.readRetainedSlice(in.readableBytes());
        channel.pipeline().addFirst(tls.context().get().newHandler(channel.alloc()));
        channel.pipeline().fireChannelRead(encrypted);
        channel.pipeline().fireChannelReadComplete();
    }

    @Override
    public boolean isEncrypted() {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    @Override
    public byte @Nullable [] certificate() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        Certificate[] shown = tls == null ? null : tls.engine().getSession().getLocalCertificates();
        try {
            return shown == null ? null : shown[0].getEncoded();
        } catch (CertificateEncodingException unknown) {
            return null;
        }
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
