package io.multimed.endpoint.mysql.backend;

import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Errors;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to an engine's private socket. What the engine sends goes to the present {@link PacketSink}.
 *
 * <p>The connection of a client begins with a PROXY header, so that the engine takes the client's address for that of the connection:
 * accounts are chosen by it, and {@code USER()}, {@code CURRENT_USER()} and the list of processes show it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the channel; closing it needs no answer.
public final class EngineLink extends PacketInput {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLink.class);

    private static final long LONGEST_BACKLOG_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_MILLIS = 5;

    private final Channel channel;
    private PacketSink sink;
    private boolean open = true;
    private Consumer<Boolean> onWritable = ignored -> {};

    private EngineLink(Channel channel, PacketSink sink) {
        this.channel = channel;
        this.sink = sink;
    }

    /**
     * Opens a connection.
     *
     * @param sink the first one
     * @param opened receives, on the loop, the connection; null if the engine could not be reached
     */
    public static void open(EventLoop loop, String socketPath, PacketSink sink, Consumer<@Nullable EngineLink> opened) {
        open(loop, socketPath, sink, opened, System.nanoTime());
    }

    private static void open(
            EventLoop loop,
            String socketPath,
            PacketSink sink,
            Consumer<@Nullable EngineLink> opened,
            long begunNanos) {
        new Bootstrap()
                .group(loop)
                .channel(EpollDomainSocketChannel.class)
                .disableResolver()
                // If writing fails because the engine has closed the connection, its last message can still be read.
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new io.netty.channel.ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(socketPath))
                .addListener((ChannelFutureListener) future -> {
                    if (!future.isSuccess()) {
                        if (isBacklogFull(future.cause()) && System.nanoTime() - begunNanos < LONGEST_BACKLOG_NANOS) {
                            loop.schedule(
                                    () -> open(loop, socketPath, sink, opened, begunNanos),
                                    RETRY_MILLIS,
                                    TimeUnit.MILLISECONDS);
                        } else {
                            // Without a descriptor for the socket the future is not one of the loop.
                            loop.execute(() -> opened.accept(null));
                        }
                        return;
                    }
                    EngineLink link = new EngineLink(future.channel(), sink);
                    future.channel().pipeline().addLast(link);
                    opened.accept(link);
                    future.channel().config().setAutoRead(true);
                });
    }

    /** Whether more clients connect at once than the engine has accepted yet: unix(7), connect(2), EAGAIN. */
    private static boolean isBacklogFull(Throwable cause) {
        return cause instanceof Errors.NativeIoException failure
                && failure.expectedErr() == Errors.ERRNO_EAGAIN_NEGATIVE;
    }

    /** Sends the PROXY header, which precedes everything else. */
    public void announce(InetSocketAddress client, InetSocketAddress endpoint) {
        String header = "PROXY %s %s %s %d %d\r\n"
                .formatted(
                        client.getAddress() instanceof Inet6Address ? "TCP6" : "TCP4",
                        text(client),
                        text(endpoint),
                        client.getPort(),
                        endpoint.getPort());
        ByteBuf out = channel.alloc().buffer(header.length());
        out.writeCharSequence(header, StandardCharsets.US_ASCII);
        channel.write(out);
    }

    private static String text(InetSocketAddress address) {
        String text = address.getAddress().getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    /**
     * Requests TLS and begins it. What is written afterwards is encrypted.
     *
     * @param response which follows, with the next sequence number
     */
    public void beginTls(HandshakeResponse response, int sequence) {
        ByteBuf request = channel.alloc().buffer();
        int begun = Packets.begin(request, sequence);
        response.encodeTlsRequest(request);
        Packets.end(request, begun);
        channel.writeAndFlush(request);
        channel.pipeline().addFirst(EngineTls.CONTEXT.newHandler(channel.alloc()));
    }

    /** Changes the receiver. */
    public void sink(PacketSink next) {
        sink = next;
    }

    public boolean isOpen() {
        return open;
    }

    /** @param action receives whether the engine takes what is written, whenever that changes */
    public void onWritable(Consumer<Boolean> action) {
        onWritable = action;
    }

    /** Stops or continues reading from the engine. */
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    public ByteBufAllocator alloc() {
        return channel.alloc();
    }

    public void write(ByteBuf out) {
        channel.write(out);
    }

    public void flush() {
        channel.flush();
    }

    public void writeAndFlush(ByteBuf out) {
        channel.writeAndFlush(out);
    }

    public void close() {
        channel.close();
    }

    @Override
    protected void read(ByteBuf in) {
        try {
            sink.packets(in);
        } catch (MysqlProtocolException violation) {
            LOG.error("An engine's message was not understood: {}", violation.getMessage());
            in.skipBytes(in.readableBytes());
            close();
        }
    }

    @Override
    protected void ended() {
        if (open) {
            open = false;
            sink.closed();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        onWritable.accept(channel.isWritable());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof java.io.IOException)) {
            LOG.error("A connection to an engine has failed", cause);
        }
        ctx.close();
    }
}
