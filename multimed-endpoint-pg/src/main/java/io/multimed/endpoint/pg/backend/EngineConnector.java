package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.FrontendMessages;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens channels to one node's engine. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the channel; closing it needs no answer.
final class EngineConnector {
    private final EventLoop loop;
    private final ChannelFactory<? extends Channel> channels;
    /** Address of the engine, queried for each connection: a Satellite may have been rebuilt elsewhere. */
    private final Supplier<SocketAddress> address;

    EngineConnector(EventLoop loop, EngineChannels channels, Supplier<String> socketPath) {
        this(loop, channels::newChannel, () -> channels.address(socketPath.get()));
    }

    EngineConnector(EventLoop loop, ChannelFactory<? extends Channel> channels, Supplier<SocketAddress> address) {
        this.loop = loop;
        this.channels = channels;
        this.address = address;
    }

    /** @param connected receives, on the loop, the channel, or null if the engine could not be reached */
    void open(Consumer<@Nullable Channel> connected) {
        new Bootstrap()
                .group(loop)
                .channelFactory(channels)
                // The path of a socket needs no resolver.
                .disableResolver()
                // When writing fails because the engine has closed the connection, its last message, which gives the
                // reason, can still be read.
                .option(ChannelOption.AUTO_CLOSE, false)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(address.get())
                .addListener((ChannelFutureListener)
                        future -> onLoop(() -> connected.accept(future.isSuccess() ? future.channel() : null)));
    }

    /** Runs the action on the loop. Netty reports the failure on another thread if not even the channel could be created. */
    private void onLoop(Runnable action) {
        if (loop.inEventLoop()) {
            action.run();
        } else {
            loop.execute(action);
        }
    }

    /** Runs an action on the loop after a delay. */
    void after(long millis, Runnable action) {
        loop.schedule(action, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Sends a cancel request.
     *
     * @param done runs when the engine has acted upon the request, which it shows by closing the connection
     * @param overdue runs instead if the engine has not acted within {@code millis}; it may still do so at any time
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
