package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.FrontendMessages;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens channels to one node's engine. */
final class Connector {
    private final EventLoop loop;
    private final Transport transport;
    /** Asked anew for each connection: a Satellite may have been rebuilt elsewhere. */
    private final Supplier<String> socketPath;

    Connector(EventLoop loop, Transport transport, Supplier<String> socketPath) {
        this.loop = loop;
        this.transport = transport;
        this.socketPath = socketPath;
    }

    /** @param connected is given the channel, or null when the engine could not be reached */
    void open(Consumer<@Nullable Channel> connected) {
        SocketAddress address = transport.unixAddress(socketPath.get());
        new Bootstrap()
                .group(loop)
                .channel(transport.unixClient())
                .handler(new ChannelInboundHandlerAdapter())
                .connect(address)
                .addListener((ChannelFutureListener)
                        future -> connected.accept(future.isSuccess() ? future.channel() : null));
    }

    /** Runs something on the loop after a while. */
    void after(long millis, Runnable action) {
        loop.schedule(action, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Sends a cancel request.
     *
     * @param done runs when the engine has acted upon it, which it shows by closing
     * @param overdue runs instead when it has not for so long; it may at any time still
     */
    void cancel(int processId, byte[] secret, Runnable done, long millis, Runnable overdue) {
        open(channel -> {
            if (channel == null) {
                done.run();
                return;
            }
            Future<?> deadline = loop.schedule(
                    () -> {
                        channel.close();
                        overdue.run();
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext ctx) {
                    if (deadline.cancel(false)) {
                        done.run();
                    }
                }
            });
            ByteBuf request = channel.alloc().ioBuffer(32);
            FrontendMessages.cancelRequest(request, processId, secret);
            channel.writeAndFlush(request);
        });
    }
}
