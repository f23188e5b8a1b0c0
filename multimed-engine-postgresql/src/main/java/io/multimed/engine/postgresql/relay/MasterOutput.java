package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The output to the Master: the messages of the handshake, then confirmations and feedback. It never blocks and has no queue:
 * if several messages could not leave at once, only the newest is sent later.
 *
 * <p>Relay thread.
 */
final class MasterOutput {
    private final ByteBuffer out = ByteBuffer.allocateDirect(4096);
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private boolean streaming;
    private long confirmed;
    private boolean confirmOwed;
    private Feedback feedback = Feedback.NONE;
    private Feedback feedbackSent = Feedback.NONE;

    void open(SocketChannel newChannel, SelectionKey newKey) {
        channel = newChannel;
        key = newKey;
        streaming = false;
        out.clear();
        confirmOwed = false;
        // The new walsender has not received any feedback.
        feedbackSent = Feedback.NONE;
    }

    void close() {
        channel = null;
        key = null;
        streaming = false;
    }

    /** Begins the stream, from which on the Master reads confirmations and feedback. */
    void streams() {
        streaming = true;
    }

    /** Sends a message of the handshake. */
    void send(byte[] message) throws IOException {
        out.put(message);
        flush();
    }

    /** Confirms everything up to {@code position}. */
    void confirm(long position) throws IOException {
        confirmed = position;
        confirmOwed = true;
        flush();
    }

    /** Sends the Satellites' feedback, if it has changed. */
    void feedback(Feedback wanted) throws IOException {
        feedback = wanted;
        if (streaming && !wanted.equals(feedbackSent)) {
            flush();
        }
    }

    /** Writes the pending messages, as far as the socket takes them. */
    void flush() throws IOException {
        SocketChannel to = channel;
        SelectionKey toKey = key;
        if (to == null || toKey == null) {
            return;
        }
        if (streaming && out.position() == 0) {
            if (confirmOwed) {
                confirmOwed = false;
                Messages.putStatusUpdate(out, confirmed);
            }
            if (!feedback.equals(feedbackSent)) {
                feedbackSent = feedback;
                Messages.putFeedback(out, feedback.xmin(), feedback.catalogXmin());
            }
        }
        if (out.position() > 0) {
            out.flip();
            to.write(out);
            out.compact();
        }
        boolean blocked = out.position() > 0 || (streaming && confirmOwed);
        int interest = blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (toKey.interestOps() != interest) {
            toKey.interestOps(interest);
        }
    }
}
