package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelException;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.DomainSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineConnectorTest {
    private final EventLoop loop = new DefaultEventLoop();

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** This happens when the process has reached its limit of open files. */
    @Test
    void saysOnItsLoopThatNoChannelCanBeMade() throws Exception {
        EngineConnector connector = new EngineConnector(
                loop,
                () -> {
                    throw new ChannelException("too many open files");
                },
                () -> new DomainSocketAddress("/nowhere"));
        CompletableFuture<Boolean> toldOnLoop = new CompletableFuture<>();
        loop.execute(() -> connector.open(channel -> toldOnLoop.complete(channel == null && loop.inEventLoop())));
        assertTrue(toldOnLoop.get(10, TimeUnit.SECONDS));
    }
}
