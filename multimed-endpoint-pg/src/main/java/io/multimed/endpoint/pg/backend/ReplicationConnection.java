package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection of one replication client to the Master, outside the pool: engines send log and backups on sessions of a kind of their
 * own, which serve nobody else. Once it is open, bytes pass as they are.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A write or close that fails closes the channel, which the handler is told.
public final class ReplicationConnection extends ChannelInboundHandlerAdapter {
    private static final long OPENING_MILLIS = 5_000;
    private static final long CANCEL_MILLIS = 5_000;
    /** Length above which a message before the first ReadyForQuery is no engine's. */
    private static final int LONGEST_GREETING = 1 << 20;

    /** Waits for such a connection. Called on the loop, with one of both. */
    public interface Waiter {
        /** The engine has accepted the connection, which must be given a user at once. */
        void opened(ReplicationConnection connection);

        /**
         * The engine has not accepted it.
         *
         * @param error the engine's reason; null if it gave none
         */
        void refused(@Nullable ErrorFields error);
    }

    /** The user of an open connection. Called on the loop. */
    public interface User {
        /** Receives bytes of the engine, and takes over the reference. */
        void received(ByteBuf bytes);

        /** The engine accepts more bytes again. */
        void writable();

        /** The engine has closed the connection. */
        void closed();
    }

    private final LoopBackends loop;
    private final EngineConnector connector;
    private final PoolKey key;
    private final Opening opening = new Opening();
    private @Nullable Waiter waiter;
    private @Nullable User user;
    private @Nullable Channel channel;
    /** The engine's messages before its first ReadyForQuery, as far as they are not read yet. */
    private @Nullable ByteBuf greeting;

    private ReplicationConnection(LoopBackends loop, EngineConnector connector, PoolKey key, Waiter waiter) {
        this.loop = loop;
        this.connector = connector;
        this.key = key;
        this.waiter = waiter;
    }

    /**
     * Begins to open one.
     *
     * @param pool of the engine
     * @param key whose parameters for the start include {@code replication}
     */
    public static ReplicationConnection open(NodeBackends pool, PoolKey key, Waiter waiter) {
        ReplicationConnection opened = new ReplicationConnection(pool.loop, pool.opener.connector, key, waiter);
        opened.connector.open(opened::reached);
        return opened;
    }

    private void reached(@Nullable Channel engine) {
        Waiter waiting = waiter;
        if (waiting == null || loop.isClosed()) {
            close(engine);
        } else if (engine == null) {
            waiter = null;
            waiting.refused(null);
        } else {
            channel = engine;
            greeting = engine.alloc().buffer(512);
            engine.pipeline().addLast(this);
            ByteBuf start = engine.alloc().ioBuffer(256);
            Opening.write(start, key, false);
            write(start);
            // The kernel accepts connections for an engine whose main process is stopped.
            connector.after(OPENING_MILLIS, () -> {
                if (waiter != null) {
                    engine.close();
                }
            });
        }
    }

    /** Gives the connection, which has just been opened, to its user. */
    public void serve(User served) {
        user = served;
    }

    /** The parameters that the engine has reported. */
    public Map<String, String> parameters() {
        return opening.parameters();
    }

    /** The number of the engine's process. */
    public int processId() {
        return opening.processId();
    }

    // --- from the engine

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        User present = user;
        ByteBuf begun = greeting;
        if (present != null) {
            present.received(bytes);
        } else {
            if (begun != null) {
                begun.writeBytes(bytes);
                readGreeting(begun);
            }
            bytes.release();
        }
    }

    private void readGreeting(ByteBuf begun) {
        while (begun.readableBytes() >= 5) {
            int index = begun.readerIndex();
            byte type = begun.getByte(index);
            int length = begun.getInt(index + 1);
            if (length < 4 || length > LONGEST_GREETING) {
                close(channel);
                return;
            }
            if (begun.readableBytes() <= length) {
                return;
            }
            if (type == Backend.READY_FOR_QUERY) {
                forgetGreeting();
                opened();
                return;
            }
            if (!opening.message(type, begun, index, length + 1)) {
                close(channel);
                return;
            }
            begun.skipBytes(length + 1);
        }
    }

    private void opened() {
        Waiter waiting = waiter;
        waiter = null;
        if (waiting != null) {
            waiting.opened(this);
        }
    }

    private void forgetGreeting() {
        ByteBuf begun = greeting;
        greeting = null;
        if (begun != null) {
            begun.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forgetGreeting();
        Waiter waiting = waiter;
        User present = user;
        waiter = null;
        user = null;
        if (waiting != null) {
            waiting.refused(opening.error());
        }
        if (present != null) {
            present.closed();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        User present = user;
        if (present != null && context.channel().isWritable()) {
            present.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    // --- to the engine

    /** Queues bytes for the engine and takes over the reference. They are sent at the end of the loop's round. */
    public void write(ByteBuf bytes) {
        Channel engine = channel;
        if (engine == null) {
            bytes.release();
            return;
        }
        engine.write(bytes, engine.voidPromise());
        loop.flushLater(engine);
    }

    /** Whether the engine accepts more bytes now. */
    public boolean isWritable() {
        Channel engine = channel;
        return engine != null && engine.isWritable();
    }

    /** Whether to read what the engine sends. */
    public void reading(boolean wanted) {
        Channel engine = channel;
        if (engine != null && engine.config().isAutoRead() != wanted) {
            engine.config().setAutoRead(wanted);
        }
    }

    /** Asks the engine to cancel what it executes. */
    public void cancel() {
        connector.cancel(opening.processId(), opening.secret(), () -> {}, CANCEL_MILLIS, () -> {});
    }

    /** Closes the connection, also while it is being opened. Nobody hears of it any more. */
    public void close() {
        waiter = null;
        user = null;
        close(channel);
    }

    private static void close(@Nullable Channel engine) {
        if (engine != null) {
            engine.close();
        }
    }
}
