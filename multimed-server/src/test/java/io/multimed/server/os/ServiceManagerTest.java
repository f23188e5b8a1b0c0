package io.multimed.server.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A socket such as systemd's, and what arrives there. */
class ServiceManagerTest {
    @TempDir
    Path directory;

    @Test
    void isToldThatTheServiceIsReadyWhatItDoesAndThatItEnds() throws Exception {
        Path socket = directory.resolve("notify");
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try {
            new Bootstrap()
                    .group(loops)
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                            told.add(packet.content().toString(StandardCharsets.UTF_8));
                        }
                    })
                    .bind(new DomainSocketAddress(socket.toString()))
                    .sync();
            ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", socket.toString()));
            manager.ready("serving");
            manager.status("satellites=1");
            manager.ending();
            assertEquals("READY=1\nSTATUS=serving", told.poll(10, TimeUnit.SECONDS));
            assertEquals("STATUS=satellites=1", told.poll(10, TimeUnit.SECONDS));
            assertEquals("STOPPING=1\nSTATUS=ending", told.poll(10, TimeUnit.SECONDS));
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void thatIsNotThereDisturbsNothing() {
        ServiceManager.of(Map.of()).ready("serving");
        ServiceManager.of(Map.of("NOTIFY_SOCKET", directory.resolve("none").toString()))
                .ending();
    }
}
