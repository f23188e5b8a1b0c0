package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The output to one Satellite: control messages, and the log, cut into frames for this Satellite.
 *
 * <p>Bounded: a few hundred bytes of control messages once the log streams, one frame header, at most one piece of a file. A
 * frame that was begun from memory may be finished from a file.
 */
final class FeedOutput {
    /** Size of a frame, as a walsender cuts them (MAX_SEND_SIZE, walsender.c). */
    private static final int MAX_FRAME = 128 * 1024;

    /** Bytes in one go, after which other connections get their turn. */
    private static final int TURN = 512 * 1024;

    private static final int MAX_CONTROLS = 16;

    private final Fanout fanout;
    private final SocketChannel channel;
    private final FeedLog log;
    private final FilePieces pieces;
    private final ArrayDeque<ByteBuffer> controls = new ArrayDeque<>();
    private final ByteBuffer header =
            ByteBuffer.allocateDirect(Messages.WAL_HEADER).limit(0);
    private final ByteBuffer[] gather = {header, header};

    private @Nullable ComputationalNode node;
    private long position;
    /** Time at which the latest frame was begun. */
    private long cutAt;

    private int frameRemaining;

    FeedOutput(Fanout fanout, SatelliteFeed feed, SocketChannel channel) {
        this.fanout = fanout;
        this.channel = channel;
        this.log = fanout.log();
        this.pieces = new FilePieces(log, feed);
    }

    void startAt(long start, ComputationalNode satellite) {
        position = start;
        node = satellite;
    }

    void control(byte[] message) {
        controls.add(ByteBuffer.wrap(message));
    }

    /** Queues a keepalive message. Returns whether it could be queued: a Satellite that reads nothing gets no more of them. */
    boolean keepalive(boolean replyRequested) {
        if (controls.size() >= MAX_CONTROLS) {
            return false;
        }
        ByteBuffer message = ByteBuffer.allocate(Messages.KEEPALIVE);
        Messages.putKeepalive(message, position, replyRequested);
        controls.add(message.flip());
        return true;
    }

    /** Whether a message can be sent without cutting a frame in two. */
    boolean atFrameEnd() {
        return frameRemaining == 0 && !header.hasRemaining();
    }

    /**
     * Sends until the socket is full or there is nothing to send.
     *
     * @return whether to go on when the socket takes more
     */
    boolean pump(boolean streaming) throws IOException {
        long budget = TURN;
        while (budget > 0) {
            if (!atFrameEnd()) {
                ByteBuffer payload = payload();
                if (payload == null) {
                    return false;
                }
                long sent = sendFrame(payload);
                if (sent < 0) {
                    return true;
                }
                budget -= sent;
            } else if (!controls.isEmpty()) {
                ByteBuffer message = controls.getFirst();
                channel.write(message);
                if (message.hasRemaining()) {
                    return true;
                }
                controls.removeFirst();
            } else if (!streaming || !nextFrame()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of log sent, negative if the socket is full. */
    private long sendFrame(ByteBuffer payload) throws IOException {
        int offered = payload.remaining();
        gather[1] = payload;
        channel.write(gather);
        gather[1] = header;
        int sent = offered - payload.remaining();
        position += sent;
        frameRemaining -= sent;
        return payload.hasRemaining() || header.hasRemaining() ? -1 : sent;
    }

    /** Returns the bytes at the present position; null if they must come from a file first. */
    private @Nullable ByteBuffer payload() {
        if (!log.buffer().overwritten(position)) {
            return log.buffer().read(position, frameRemaining);
        }
        ByteBuffer payload = pieces.at(position, frameRemaining);
        if (payload == null) {
            pieces.read(position, position + frameRemaining);
        }
        return payload;
    }

    /** Cuts the next frame, at a place that {@link RecordScanner#safeEnd} or a page's end allows. */
    private boolean nextFrame() {
        MasterIdentity master = log.master();
        long end = log.safeEnd();
        if (position >= end || master == null) {
            return false;
        }
        if (log.buffer().overwritten(position)) {
            long pieceEnd = pieces.end(position);
            if (position >= pieceEnd) {
                pieces.read(position, end);
                return false;
            }
            end = Math.min(end, pieceEnd);
        }
        if (end - position > MAX_FRAME) {
            end = position + MAX_FRAME;
            end -= end % master.pageSize();
        }
        long now = RelayLoop.now();
        if (fanout.gathers(now, cutAt, end - position)) {
            return false;
        }
        cutAt = now;
        ComputationalNode satellite = node;
        if (satellite != null) {
            satellite.forwarded(Math.max(satellite.forwarded(), end));
        }
        frameRemaining = (int) (end - position);
        header.clear();
        Messages.putWalHeader(header, position, end, frameRemaining);
        header.flip();
        return true;
    }

    /** Releases the memory of a closed connection. */
    void release() {
        pieces.release();
        controls.clear();
    }
}
