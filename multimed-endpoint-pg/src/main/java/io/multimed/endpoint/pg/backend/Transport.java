package io.multimed.endpoint.pg.backend;

import io.multimed.core.polling.BusyPoll;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.IntSupplier;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;

/**
 * The system interface that the event loops use for sockets. io_uring was no faster than epoll (Linux 6.18, point reads by 64
 * clients: 30,218 and 30,854 tps), so it is not offered.
 */
public enum Transport implements EngineChannels {
    /** The default, on Linux. */
    EPOLL,
    /** The portable interface of the JDK. */
    NIO;

    /** Whether this machine and its kernel offer it. */
    public boolean isAvailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable();
            case NIO -> true;
        };
    }

    /** @param busyPoll time for which a loop that finds nothing to do keeps polling before it sleeps; zero for never */
    public IoHandlerFactory ioHandler(Duration busyPoll) {
        SelectStrategyFactory waiting = () -> new PollThenSleep(new BusyPoll(busyPoll, System::nanoTime));
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory(0, waiting);
            case NIO -> NioIoHandler.newFactory(SelectorProvider.provider(), waiting);
        };
    }

    /** The wait strategy of a loop. It finds new tasks too, since it checks for them each time. */
    private record PollThenSleep(BusyPoll poll) implements SelectStrategy {
        @Override
        public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
            int ready = selectNow.get();
            if (hasTasks || ready > 0) {
                poll.found();
                return ready;
            }
            return poll.again() ? CONTINUE : SELECT;
        }
    }

    public Class<? extends ServerChannel> tcpServer() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }

    public Class<? extends ServerChannel> unixServer() {
        return switch (this) {
            case EPOLL -> EpollServerDomainSocketChannel.class;
            case NIO -> NioServerDomainSocketChannel.class;
        };
    }

    @Override
    public Channel newChannel() {
        return switch (this) {
            case EPOLL -> new EpollDomainSocketChannel();
            case NIO -> new NioDomainSocketChannel();
        };
    }

    @Override
    public SocketAddress address(String socketPath) {
        return this == NIO ? UnixDomainSocketAddress.of(socketPath) : new DomainSocketAddress(socketPath);
    }
}
