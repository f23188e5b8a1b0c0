package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The Master's committed transactions, over one connection.
 *
 * <p>One thread; {@link #wakeUp} from any.
 */
final class WriteSetStream implements AutoCloseable {
    /** The positions of a message with data: kind, start, end, time. */
    private static final int DATA_HEADER = 1 + 8 + 8 + 8;
    /** The state of PostgreSQL 18's warning that the publication is missing, after which it sends nothing. */
    private static final String NOT_AS_REQUIRED = "55000";

    /** The receiver of a stream. */
    interface Receiver {
        /** Takes the next transaction in the order of commits. */
        void transaction(Transaction transaction);

        /** Every commit that ends at or before {@code scn} was given. */
        void position(long scn);
    }

    private final DecodingConnection connection;
    private final StreamContent content;

    /** @param content of the stream, which has been started */
    WriteSetStream(DecodingConnection connection, StreamContent content) {
        this.connection = connection;
        this.content = content;
    }

    /**
     * Waits for a message, at most this long, and gives what it completes.
     *
     * @return whether the Master asks for {@link #status}
     */
    boolean next(long nanos, Receiver receiver) throws IOException, MasterRefusedException, WriteSetTooLargeException {
        ByteBuffer message = connection.next(nanos);
        if (message == null) {
            return false;
        }
        char type = (char) message.get();
        message.getInt();
        switch (type) {
            case 'd' -> {
                return data(message, receiver);
            }
            case 'E' -> {
                Messages.ServerError error = Messages.serverError(message);
                throw new MasterRefusedException(error.sqlState(), error.text());
            }
            case 'N' -> {
                Messages.ServerError notice = Messages.serverError(message);
                if (notice.sqlState().equals(NOT_AS_REQUIRED)) {
                    throw new MasterRefusedException(notice.sqlState(), notice.text());
                }
            }
            case 'S' -> {}
            case 'c', 'C', 'Z' -> throw new IOException("the master ended the stream");
            default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "' in the stream");
        }
        return false;
    }

    private boolean data(ByteBuffer message, Receiver receiver) throws WriteSetTooLargeException {
        if (message.remaining() < DATA_HEADER - 8) {
            throw new MalformedWriteSetException("replication message of " + message.remaining() + " bytes");
        }
        char kind = (char) message.get(message.position());
        if (kind == 'k') {
            content.reached(message.getLong(message.position() + 1), receiver);
            return message.get(message.limit() - 1) != 0;
        }
        if (kind == 'w') {
            long position = message.getLong(message.position() + 1);
            message.position(message.position() + DATA_HEADER);
            content.data(position, message.slice(), receiver);
        }
        return false;
    }

    /** Tells the Master how far this side is. */
    void status(long received, long confirmed, boolean replyRequested) throws IOException {
        connection.status(received, content.needed(confirmed), replyRequested);
    }

    /** Returns the number of transactions that came in parts and were committed, for tests. */
    long streamed() {
        return content.streamed();
    }

    /** Makes {@link #next} return. Any thread. */
    void wakeUp() {
        connection.wakeUp();
    }

    @Override
    public void close() {
        connection.close();
    }
}
