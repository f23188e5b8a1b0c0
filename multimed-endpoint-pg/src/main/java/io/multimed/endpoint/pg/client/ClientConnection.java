package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: keeps received bytes until they are consumed, first by {@link Startup}, then by the
 * {@link ClientSession}.
 *
 * <p>It has more fields than other classes, since it is the one owner of all that a connection holds and has to give back at its
 * end.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the channel; closing it needs no answer.
public final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientLink {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    /** Time that a client may take to read its last message after the end of its session. */
    private static final int LAST_WORD_SECONDS = 10;

    private final LoopContext loop;
    private final ClientShared shared;
    private final HeldBytes held;
    private final PendingLogins pendingLogins;
    private final Channel channel;
    private ByteBuf input = Unpooled.EMPTY_BUFFER;
    private @Nullable Startup startup;
    private @Nullable Conversation conversation;
    private @Nullable ScheduledFuture<?> unreadAlarm;
    private @Nullable ScheduledFuture<?> endAlarm;
    private boolean counted;
    private boolean countedForReplication;
    /** Whether the last message has been written; further input is ignored. */
    private boolean ending;

    /** A consumer of an authenticated client's input. */
    interface Conversation {
        void process();

        void writable();

        void end();

        /** Returns the number of bytes that wait for the client and have not been written. */
        default long heldBytes() {
            return 0;
        }
    }

    public ClientConnection(
            LoopContext loop, ClientShared shared, HeldBytes held, PendingLogins pendingLogins, Channel channel) {
        this.loop = loop;
        this.shared = shared;
        this.held = held;
        this.pendingLogins = pendingLogins;
        this.channel = channel;
    }

    LoopContext loop() {
        return loop;
    }

    ClientShared shared() {
        return shared;
    }

    Channel channel() {
        return channel;
    }

    void converse(Conversation next) {
        startup = null;
        conversation = next;
        next.process();
    }

    /** Counts this client as connected. Returns false if there are too many. */
    boolean enter() {
        pendingLogins.remove(this);
        counted = shared.clients().enter(loop.options().limits().clients());
        return counted;
    }

    /** Counts this client as one that is connected for replication. Returns false if there are too many. */
    boolean enterReplication() {
        countedForReplication = shared.replications().enter(ReplicationLogin.MOST);
        return countedForReplication;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        startup = new Startup(this);
        held.add(this);
        pendingLogins.add(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf more = (ByteBuf) message;
        if (ending) {
            more.release();
            return;
        }
        if (!input.isReadable()) {
            input.release();
            input = more;
        } else if (input.refCnt() == 1 && input.maxFastWritableBytes() >= more.readableBytes()) {
            input.writeBytes(more);
            more.release();
        } else {
            ByteBuf joined = channel.alloc().buffer(Math.max(256, 2 * (input.readableBytes() + more.readableBytes())));
            joined.writeBytes(input).writeBytes(more);
            input.release();
            more.release();
            input = joined;
        }
        take();
    }

    private void take() {
        Startup starting = startup;
        Conversation talking = conversation;
        if (starting != null) {
            starting.process();
        } else if (talking != null) {
            talking.process();
        }
        if (!input.isReadable() && input.refCnt() > 0 && input.capacity() > 0) {
            input.release();
            input = Unpooled.EMPTY_BUFFER;
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            if (unreadAlarm != null) {
                unreadAlarm.cancel(false);
                unreadAlarm = null;
            }
            if (conversation != null) {
                conversation.writable();
            }
        } else if (unreadAlarm == null) {
            watchUnread();
        }
    }

    /** Closes the connection of a client that accepts none of its replies for long. A slow client has more time. */
    private void watchUnread() {
        long unread = pending();
        unreadAlarm = loop.loop()
                .schedule(
                        () -> {
                            if (pending() < unread) {
                                watchUnread();
                            } else {
                                channel.close();
                            }
                        },
                        loop.options().timeouts().clientProgress().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Returns the number of bytes that the client makes the endpoint hold. */
    long heldBytes() {
        Conversation talking = conversation;
        return (input.isReadable() ? input.capacity() : 0) + pending() + (talking == null ? 0 : talking.heldBytes());
    }

    /** Closes the client, because all clients together make the endpoint hold too much, and this one holds much of it. */
    void holdsTooMuch() {
        if (pending() > 0) {
            channel.close();
            return;
        }
        end();
        dropInput();
        fail(ErrorFields.fatal(SqlState.OUT_OF_MEMORY, "out of memory")
                .withDetail("Clients have begun too many long messages, or have too many notifications waiting."));
    }

    /** Returns the number of bytes that were written and that the client's socket has not accepted. */
    private long pending() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        held.remove(this);
        pendingLogins.remove(this);
        end();
        if (unreadAlarm != null) {
            unreadAlarm.cancel(false);
        }
        if (endAlarm != null) {
            endAlarm.cancel(false);
        }
        if (counted) {
            counted = false;
            shared.clients().leave();
        }
        if (countedForReplication) {
            countedForReplication = false;
            shared.replications().leave();
        }
        dropInput();
    }

    private void end() {
        if (startup != null) {
            startup.end();
            startup = null;
        }
        if (conversation != null) {
            conversation.end();
            conversation = null;
        }
    }

    private void dropInput() {
        if (input.refCnt() > 0) {
            input.release();
            input = Unpooled.EMPTY_BUFFER;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        broken(cause);
    }

    @Override
    public void broken(Throwable cause) {
        if (!(cause instanceof IOException) && !(cause.getCause() instanceof IOException)) {
            LOG.error(
                    "What is done for client {} has failed; its connection is closed", channel.remoteAddress(), cause);
        }
        channel.close();
    }

    // --- ClientLink

    @Override
    public ByteBuf input() {
        return input;
    }

    @Override
    public void unread(ByteBuf bytes) {
        if (input.isReadable()) {
            ByteBuf joined = channel.alloc().buffer(bytes.readableBytes() + input.readableBytes());
            joined.writeBytes(bytes).writeBytes(input);
            bytes.release();
            input.release();
            input = joined;
        } else {
            input.release();
            input = bytes;
        }
    }

    @Override
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    @Override
    public void write(ByteBuf bytes) {
        channel.write(bytes, channel.voidPromise());
        loop.backends().flushLater(channel);
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void reading(boolean wanted) {
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    @Override
    public void fail(ErrorFields error) {
        ByteBuf out = buffer(256);
        BackendMessages.error(out, error);
        last(out);
    }

    @Override
    public void refuse(ProtocolException violation) {
        if (violation.silent()) {
            close();
        } else {
            fail(new ErrorFields(
                    "FATAL", violation.sqlState(), String.valueOf(violation.getMessage()), violation.detail(), null));
        }
    }

    @Override
    public void close() {
        // An empty write closes the connection behind everything written so far.
        last(Unpooled.EMPTY_BUFFER);
    }

    /** Closes the connection behind these bytes; without them if the client does not accept them. */
    private void last(ByteBuf bytes) {
        ending = true;
        ChannelFuture told = channel.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
        if (!told.isDone() && endAlarm == null) {
            // Further input is read and dropped. If it stayed unread, the kernel would reset the connection and lose
            // the last message.
            reading(true);
            endAlarm = loop.loop().schedule(() -> channel.close(), LAST_WORD_SECONDS, TimeUnit.SECONDS);
        }
    }
}
