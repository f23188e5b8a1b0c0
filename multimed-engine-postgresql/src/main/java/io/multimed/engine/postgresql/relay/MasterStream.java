package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.nio.ByteBuffer;

/**
 * Parses the Master's side of a replication stream as it arrives. The log inside a message is passed on in the pieces in which
 * it was read, without waiting for the message to be complete and without a copy.
 */
final class MasterStream {
    interface Sink {
        /** Takes the log from {@code position} on; the buffer is a view that may be consumed. */
        void log(long position, ByteBuffer bytes);

        void keepalive(boolean replyRequested);
    }

    private static final int WAL_PREFIX = Messages.WAL_HEADER;

    private final Sink sink;
    private long position;
    private int payload;

    MasterStream(Sink sink) {
        this.sink = sink;
    }

    /**
     * Takes the bytes that were read; bytes of an incomplete header stay in the buffer.
     *
     * @throws MasterRefusedException if the Master ended the stream or sent an unexpected message
     */
    void take(ByteBuffer in) throws MasterRefusedException {
        while (true) {
            if (payload > 0) {
                int piece = Math.min(payload, in.remaining());
                if (piece == 0) {
                    return;
                }
                sink.log(position, in.slice(in.position(), piece));
                in.position(in.position() + piece);
                position += piece;
                payload -= piece;
            } else if (!header(in)) {
                return;
            }
        }
    }

    private boolean header(ByteBuffer in) throws MasterRefusedException {
        int at = in.position();
        if (in.remaining() < Messages.HEADER) {
            return false;
        }
        char type = (char) in.get(at);
        int length = in.getInt(at + 1) - 4;
        if (type != 'd') {
            return other(type, length, in);
        }
        if (in.remaining() < Messages.HEADER + 1) {
            return false;
        }
        char kind = (char) in.get(at + Messages.HEADER);
        int prefix = kind == 'w' ? WAL_PREFIX : Messages.HEADER + length;
        if (length < 1 || (kind == 'w' && length < WAL_PREFIX - Messages.HEADER) || prefix > in.capacity()) {
            throw new MasterRefusedException("08P01", "replication message '" + kind + "' of length " + length);
        }
        if (in.remaining() < prefix) {
            return false;
        }
        switch (kind) {
            case 'w' -> {
                position = in.getLong(at + Messages.HEADER + 1);
                payload = length - (WAL_PREFIX - Messages.HEADER);
            }
            case 'k' -> sink.keepalive(in.get(at + Messages.KEEPALIVE - 1) != 0);
            // Later versions may add kinds, which are skipped.
            default -> {}
        }
        in.position(at + prefix);
        return true;
    }

    private static boolean other(char type, int length, ByteBuffer in) throws MasterRefusedException {
        if (length < 0 || Messages.HEADER + length > in.capacity()) {
            throw new MasterRefusedException("08P01", "message '" + type + "' of length " + length);
        }
        if (in.remaining() < Messages.HEADER + length) {
            return false;
        }
        ByteBuffer body = in.slice(in.position() + Messages.HEADER, length);
        in.position(in.position() + Messages.HEADER + length);
        switch (type) {
            case 'E' -> {
                Messages.ServerError error = Messages.serverError(body);
                throw new MasterRefusedException(error.sqlState(), error.text());
            }
            case 'c', 'C', 'Z' -> throw new MasterRefusedException("", "the master ended the stream");
            case 'N', 'S' -> {}
            default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "' in the stream");
        }
        return true;
    }
}
