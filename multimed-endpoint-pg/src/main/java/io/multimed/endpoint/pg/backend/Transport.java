package io.multimed.endpoint.pg.backend;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** How the event loops speak to the kernel. */
public enum Transport {
    /** Linux, the default. */
    EPOLL,
    /** Linux 5.11 and later, where the kernel permits it. */
    IO_URING,
    /** Anywhere a JDK runs. */
    NIO;

    /** Whether this machine and its kernel offer it. */
    public boolean isAvailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
            case NIO -> true;
        };
    }

    public IoHandlerFactory ioHandler() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    public Class<? extends ServerChannel> tcpServer() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case IO_URING -> IoUringServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }

    Class<? extends Channel> unixClient() {
        return switch (this) {
            case EPOLL -> EpollDomainSocketChannel.class;
            case IO_URING -> IoUringDomainSocketChannel.class;
            case NIO -> NioDomainSocketChannel.class;
        };
    }

    SocketAddress unixAddress(String path) {
        return this == NIO ? UnixDomainSocketAddress.of(path) : new DomainSocketAddress(path);
    }
}
