package io.multimed.core.propagation;

import java.nio.ByteBuffer;

/**
 * The latest part of a log, kept in a ring of fixed size and addressed by positions in the log.
 *
 * <p>Invariants: the bytes of {@code [start, end)} are held; {@code end - start <= capacity}; {@code end} only grows
 * between two calls of {@link #startAt}; the byte of position {@code p} lies at {@code p mod capacity}, so a position
 * keeps its place however the ring turns.
 *
 * <p>The writer never waits for a reader: it overwrites the oldest bytes, and a reader that is told so must get them
 * from elsewhere. Not thread-safe: the writer and all readers are one thread, the relay's.
 */
public final class LogBuffer {
    private final ByteBuffer ring;
    private final int mask;
    private long start;
    private long end;

    /**
     * @param capacity bytes of memory, a power of two; allocated outside the heap, so that sockets take views without
     *     a copy
     */
    public LogBuffer(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 0) {
            throw new IllegalArgumentException("not a power of two: " + capacity);
        }
        ring = ByteBuffer.allocateDirect(capacity);
        mask = capacity - 1;
    }

    /** Bytes that the buffer can hold. */
    public int capacity() {
        return mask + 1;
    }

    /** The oldest position held. */
    public long start() {
        return start;
    }

    /** The position behind the newest byte; where the next {@link #append} writes. */
    public long end() {
        return end;
    }

    /** Forgets everything and expects the log from {@code position} on. Cursors elsewhere find themselves outside. */
    public void startAt(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("negative position: " + position);
        }
        start = position;
        end = position;
    }

    /** Adds the remaining bytes at {@link #end}, consuming them; the oldest bytes are overwritten when the ring is full. */
    public void append(ByteBuffer bytes) {
        int length = bytes.remaining();
        int kept = Math.min(length, capacity());
        // Of what is longer than the ring only the tail can be held.
        int from = bytes.position() + length - kept;
        int place = (int) ((end + length - kept) & mask);
        int first = Math.min(kept, capacity() - place);
        ring.put(place, bytes, from, first);
        ring.put(0, bytes, from + first, kept - first);
        bytes.position(bytes.limit());
        end += length;
        start = Math.max(start, end - capacity());
    }

    /** Whether a reader at {@code position} can go on: all that follows is held, or it stands at the end. */
    public boolean holds(long position) {
        return position >= start && position <= end;
    }

    /** Whether {@code position} was held once, or lies before where the buffer began: it must be read from elsewhere. */
    public boolean overwritten(long position) {
        return position < start;
    }

    /**
     * The bytes from {@code position} on, without copying: at most {@code maxBytes}, fewer where the ring turns or the
     * log ends, none at the end. Several calls, each from where the last view ended, read everything.
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

    /** A reader that starts at {@code position}, which need not be held. */
    public Cursor cursor(long position) {
        return new Cursor(position);
    }

    /** One reader's place in the log. Used by the buffer's thread. */
    public final class Cursor {
        private long position;

        private Cursor(long position) {
            this.position = position;
        }

        /** The next byte to read. */
        public long position() {
            return position;
        }

        /** Whether the next byte has been overwritten, so that the reader must catch up from elsewhere. */
        public boolean overwritten() {
            return LogBuffer.this.overwritten(position);
        }

        /** Bytes between here and the end of the log, held or not; negative when the log has not come this far yet. */
        public long remaining() {
            return end - position;
        }

        /** As {@link LogBuffer#read} from here; the cursor stays until {@link #advance}, since a socket may take less. */
        public ByteBuffer read(int maxBytes) {
            return LogBuffer.this.read(position, maxBytes);
        }

        /** Moves on by {@code bytes} that have been used. */
        public void advance(long bytes) {
            if (bytes < 0 || bytes > remaining()) {
                throw new IllegalArgumentException("advance by " + bytes + " of " + remaining());
            }
            position += bytes;
        }
    }
}
