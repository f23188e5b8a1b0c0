package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.Backend;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames the bytes of an engine without copying them: finds the message boundaries in each chunk and hands on runs of accepted
 * messages as they are. Only whole messages are handed on, so that an error of Multimed's own can follow if the engine dies. Long
 * rows and COPY data are an exception, so that memory does not grow with their size.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Closing a channel needs no answer.
final class BackendDecoder extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(BackendDecoder.class);
    private static final int HEADER = 5;
    /** Length in bytes above which a row is handed on in parts. */
    static final int LONGEST_WHOLE_ROW = 256 * 1024;

    private final BackendConnection connection;
    private final EngineReplies replies;
    private final ConnectionUsers users;
    private @Nullable ByteBuf leftover;
    /** The beginning of a row, no part of which has been handed on; null if there is none. */
    private @Nullable BegunRow row;
    /** Number of bytes still to come of a message whose beginning has been handled. */
    private int remaining;

    private boolean passingRemaining;

    BackendDecoder(BackendConnection connection) {
        this.connection = connection;
        replies = connection.replies;
        users = connection.users;
    }

    /** Whether the beginning of a message has been handed on and its end is still to come. */
    boolean isAmidMessage() {
        return remaining > 0 && passingRemaining;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The very buffer that was kept.
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        ByteBuf before = leftover;
        if (before != null) {
            append(before, in);
            in = before;
            leftover = null;
        }
        boolean kept = false;
        try {
            BegunRow begun = row;
            if (begun != null && !endsRow(begun, in)) {
                return;
            }
            if (decode(in)) {
                row = new BegunRow(in.readRetainedSlice(in.readableBytes()));
            } else if (in == before && in.readerIndex() == 0) {
                // Only part of a long message has arrived. Keeping the buffer avoids copying that part again for each
                // further chunk.
                leftover = in;
                kept = true;
            } else if (in.isReadable()) {
                leftover = ctx.alloc().buffer(Math.max(in.readableBytes() * 2, 256));
                leftover.writeBytes(in);
            }
        } finally {
            if (!kept) {
                in.release();
            }
        }
    }

    /** Appends with doubled capacity: beyond 4 MB, Netty's buffers would grow by only 4 MB at a time. */
    private static void append(ByteBuf before, ByteBuf more) {
        try {
            int needed = before.writerIndex() + more.readableBytes();
            if (needed > before.capacity()) {
                before.capacity(Math.max(needed, 2 * before.capacity()));
            }
            before.writeBytes(more);
        } finally {
            more.release();
        }
    }

    /** Handles the next part of the row. @return whether the row is complete and has been handed on up to this part */
    private boolean endsRow(BegunRow begun, ByteBuf in) {
        int missing = begun.missing();
        if (in.readableBytes() < missing) {
            if (in.isReadable()) {
                begun.add(in.readRetainedSlice(in.readableBytes()));
            }
            return false;
        }
        try {
            BackendUser user = users.present;
            if (user != null && user.wantsBoundary()) {
                replies.boundary();
            }
            passingRemaining = begun.handOn(replies);
        } finally {
            begun.release();
            row = null;
        }
        remaining = missing;
        return true;
    }

    /** @return whether the bytes left in {@code in} are the beginning of a row */
    private boolean decode(ByteBuf in) {
        boolean rowBegun = false;
        int end = in.writerIndex();
        int at = in.readerIndex();
        int runStart = at;
        while (at < end) {
            if (remaining > 0) {
                int part = Math.min(remaining, end - at);
                if (!passingRemaining) {
                    runStart = at + part;
                }
                remaining -= part;
                at += part;
                continue;
            }
            if (end - at < HEADER) {
                break;
            }
            byte type = in.getByte(at);
            if (type == Backend.READY_FOR_QUERY && connection.cancels != null) {
                replies.readyArrives(connection.cancels);
            }
            if (!replies.listening) {
                break;
            }
            int length = 1 + in.getInt(at + 1);
            if (length < HEADER) {
                throw new IllegalStateException("message '" + (char) type + "' of " + length + " bytes");
            }
            boolean whole = length <= end - at;
            BackendUser user = users.present;
            if (!whole
                    && ((type != Backend.DATA_ROW && type != Backend.COPY_DATA)
                            || (user != null && user.wantsWholeMessages()))) {
                break;
            }
            if (!whole && length <= LONGEST_WHOLE_ROW) {
                rowBegun = true;
                break;
            }
            if (user != null && user.wantsBoundary()) {
                replies.bytes(in, runStart, at);
                runStart = at;
                replies.boundary();
            }
            user = users.present;
            boolean accepted;
            if (user != null
                    && replies.own.current == null
                    && type != Backend.NOTICE_RESPONSE
                    && type != Backend.ERROR_RESPONSE) {
                replies.heard++;
                accepted = user.onMessage(type, in, at, length);
            } else {
                accepted = replies.message(type, in, at, length);
            }
            if (accepted) {
                passingRemaining = true;
            } else {
                replies.bytes(in, runStart, at);
                passingRemaining = false;
                runStart = Math.min(at + length, end);
            }
            if (whole) {
                at += length;
            } else {
                remaining = length - (end - at);
                at = end;
            }
            if (type == Backend.READY_FOR_QUERY) {
                replies.bytes(in, runStart, at);
                runStart = at;
                replies.ready(in.getByte(at - 1));
            }
        }
        if (runStart < at) {
            replies.bytes(in, runStart, at);
        }
        BackendUser last = users.present;
        if (last != null && last.wantsBoundary()) {
            last.onBoundary();
        }
        in.readerIndex(at);
        return rowBegun;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        replies.readComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        connection.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (leftover != null) {
            leftover.release();
            leftover = null;
        }
        if (row != null) {
            row.release();
            row = null;
        }
        connection.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            // Writing may have failed. The engine's earlier messages are read first; then channelInactive follows.
            return;
        }
        LOG.error(
                "The replies of {} could not be handled; its connection is closed",
                connection.node().id(),
                cause);
        ctx.close();
    }
}
