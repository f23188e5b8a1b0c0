package io.multimed.endpoint.pg.transcript;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A channel without a socket. Its other end is a transcript: bytes that the transcript sends are read here when the endpoint wants to read,
 * and bytes that the endpoint flushes are kept for the transcript.
 *
 * <p>Netty's EmbeddedChannel does not serve, because it runs tasks of the event loop within each write, as no event loop does, and reads
 * even if nothing more is wanted.
 */
final class ScriptedChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    private final ChannelConfig config = new DefaultChannelConfig(this);
    private final Queue<ByteBuf> incoming = new ArrayDeque<>();
    private final ByteArrayOutputStream outgoing = new ByteArrayOutputStream();
    private final BiPredicate<ScriptedChannel, SocketAddress> connecting;
    private @Nullable SocketAddress remote;
    private boolean open = true;
    private boolean active;
    private boolean readWanted;
    private boolean otherEndClosed;
    private boolean stopped;

    /** @param connecting whether a connection to the address succeeds */
    ScriptedChannel(ByteBufAllocator allocator, BiPredicate<ScriptedChannel, SocketAddress> connecting) {
        super(null);
        config.setAllocator(allocator);
        this.connecting = connecting;
    }

    // --- the other end

    /** Connects the other end of a channel that was accepted. */
    void accepted(SocketAddress from) {
        remote = from;
        active = true;
        pipeline().fireChannelActive();
        if (config.isAutoRead()) {
            read();
        }
    }

    void send(byte[] bytes, int from, int to) {
        if (open && from < to) {
            incoming.add(config.getAllocator().buffer(to - from).writeBytes(bytes, from, to - from));
            deliver();
        }
    }

    /** Closes the other end; what it has sent can still be read. */
    void closeOtherEnd() {
        otherEndClosed = true;
        deliver();
    }

    /** Sets whether the other end has stopped reading, so that nothing more can be written. */
    void stopReading(boolean now) {
        stopped = now;
        if (!now) {
            unsafe().flush();
        }
    }

    /** Returns everything that the endpoint has flushed, and forgets it. */
    byte[] takeSent() {
        byte[] sent = outgoing.toByteArray();
        outgoing.reset();
        return sent;
    }

    private void deliver() {
        eventLoop().execute(() -> {
            while (open && readWanted && !incoming.isEmpty()) {
                readWanted = false;
                pipeline().fireChannelRead(incoming.remove());
                pipeline().fireChannelReadComplete();
                if (config.isAutoRead()) {
                    read();
                }
            }
            if (open && otherEndClosed && incoming.isEmpty() && readWanted) {
                unsafe().close(unsafe().voidPromise());
            }
        });
    }

    // --- Netty

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new Connecting();
    }

    private final class Connecting extends AbstractUnsafe {
        @Override
        public void connect(SocketAddress address, @Nullable SocketAddress local, ChannelPromise promise) {
            remote = address;
            active = connecting.test(ScriptedChannel.this, address);
            if (active) {
                promise.trySuccess();
                pipeline().fireChannelActive();
                if (config.isAutoRead()) {
                    read();
                }
            } else {
                promise.tryFailure(new ConnectException("the transcript refuses connections to " + address));
                close(voidPromise());
            }
        }
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected void doBeginRead() {
        readWanted = true;
        if (!incoming.isEmpty() || otherEndClosed) {
            deliver();
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        for (Object next = in.current(); next != null && !stopped; next = in.current()) {
            ByteBuf bytes = (ByteBuf) next;
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            outgoing.writeBytes(copy);
            in.remove();
        }
    }

    @Override
    protected void doClose() {
        open = false;
        active = false;
        incoming.forEach(ByteBuf::release);
        incoming.clear();
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("nothing listens here");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }
}
