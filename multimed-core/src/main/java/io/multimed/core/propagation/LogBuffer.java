package io.multimed.core.propagation;

import java.nio.ByteBuffer;

/**
 * The latest part of a log, kept in a ring of fixed size and addressed by positions in the log.
 *
 * <p>Invariants: the bytes of {@code [start, end)} are held; {@code end - start <= capacity}; {@code end} only grows between two
 * calls of {@link #startAt}; the byte of position {@code p} is stored at {@code p mod capacity}, so a position keeps its place in
 * the ring.
 *
 * <p>The writer never waits for a reader: it overwrites the oldest bytes, and a reader that needs these must get them from
 * elsewhere. Not thread-safe: the writer and all readers are one thread, the relay's.
 */
public final class LogBuffer {
    private final ByteBuffer ring;
    private final int mask;
    private long start;
    private long end;

    /** @param capacity bytes of memory, a power of two; allocated outside the heap, so that sockets can use views without a copy */
    public LogBuffer(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 0) {
            throw new IllegalArgumentException("not a power of two: " + capacity);
        }
        ring = ByteBuffer.allocateDirect(capacity);
        mask = capacity - 1;
    }

    /** Returns the number of bytes that the buffer can hold. */
    public int capacity() {
        return mask + 1;
    }

    /** Returns the oldest position held. */
    public long start() {
        return start;
    }

    /** Returns the position behind the newest byte, at which the next {@link #append} writes. */
    public long end() {
        return end;
    }

    /** Drops everything and expects the log from {@code position} on. Cursors at other positions are then outside the buffer. */
    public void startAt(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("negative position: " + position);
        }
        start = position;
        end = position;
    }

    /** Appends the remaining bytes at {@link #end} and consumes them. The oldest bytes are overwritten when the ring is full. */
    public void append(ByteBuffer bytes) {
        int length = bytes.remaining();
        int kept = Math.min(length, capacity());
        // Only the tail of bytes longer than the ring can be held.
        int from = bytes.position() + length - kept;
        int place = (int) ((end + length - kept) & mask);
        int first = Math.min(kept, capacity() - place);
        ring.put(place, bytes, from, first);
        ring.put(0, bytes, from + first, kept - first);
        bytes.position(bytes.limit());
        end += length;
        start = Math.max(start, end - capacity());
    }

    /** Whether a reader at {@code position} can continue: everything from there on is held, or it is at the end. */
    public boolean holds(long position) {
        return position >= start && position <= end;
    }

    /**
     * Whether {@code position} has been overwritten, or precedes the start of the buffer, so that it must be read from elsewhere.
     */
    public boolean overwritten(long position) {
        return position < start;
    }

    /**
     * Returns the bytes from {@code position} on, without copying: at most {@code maxBytes}, fewer at the end of the ring's memory
     * or of the log, none at the end of the log. Several calls, each from the end of the last view, read everything.
     *
     * @return a read-only view, valid until the next {@link #append} or {@link #startAt}
     * @throws IndexOutOfBoundsException if the buffer does not {@linkplain #holds hold} the position
     */
    public ByteBuffer read(long position, int maxBytes) {
        if (!holds(position)) {
            throw new IndexOutOfBoundsException(
                    "position " + position + " outside the log buffer [" + start + ", " + end + "]");
        }
        int place = (int) (position & mask);
        int length = (int) Math.min(Math.min(maxBytes, capacity() - place), end - position);
        return ring.slice(place, length).asReadOnlyBuffer();
    }

    /** Returns a reader that starts at {@code position}, which need not be held. */
    public Cursor cursor(long position) {
        return new Cursor(position);
    }

    /** The position of one reader in the log. Used by the buffer's thread. */
    public final class Cursor {
        private long position;

        private Cursor(long position) {
            this.position = position;
        }

        /** Returns the position of the next byte to read. */
        public long position() {
            return position;
        }

        /** Whether the next byte has been overwritten, so that the reader must catch up from elsewhere. */
        public boolean overwritten() {
            return LogBuffer.this.overwritten(position);
        }

        /**
         * Returns the number of bytes from here to the end of the log, held or not; negative if the log has not reached this
         * position yet.
         */
        public long remaining() {
            return end - position;
        }

        /**
         * Reads from here like {@link LogBuffer#read}. The cursor stays until {@link #advance}, since a socket may accept fewer
         * bytes.
         */
        public ByteBuffer read(int maxBytes) {
            return LogBuffer.this.read(position, maxBytes);
        }

        /** Moves the cursor on by {@code bytes} that have been used. */
        public void advance(long bytes) {
            if (bytes < 0 || bytes > remaining()) {
                throw new IllegalArgumentException("advance by " + bytes + " of " + remaining());
            }
            position += bytes;
        }
    }
}
