package io.multimed.endpoint.pg.backend;

import io.netty.channel.Channel;
import java.net.SocketAddress;

/** The kind of channel over which engines are reached. */
public interface EngineChannels {
    /** Returns a new channel, which is not connected. */
    Channel newChannel();

    /** @param socketPath path of an engine's Unix-domain socket */
    SocketAddress address(String socketPath);
}
