package io.multimed.engine.postgresql.relay;

import java.nio.ByteBuffer;

/** The receiver of the records that a {@link RecordScanner} finds: it chooses some, and is given all of their bytes. */
interface RecordTaker {
    /** Notes the magic of the log's pages: records differ between releases. */
    void release(int magic);

    /** Begins a record of {@code length} bytes behind its header; returns whether it is wanted. */
    boolean begin(long start, int xid, int manager, int info, long length);

    /** Takes the next {@code length} bytes of a wanted record. */
    void take(ByteBuffer bytes, int length);

    /** Ends a wanted record. */
    void end(long end);
}
