package io.multimed.engine.postgresql.relay;

import static io.multimed.engine.postgresql.relay.WalFormat.LONG_PAGE_HEADER;
import static io.multimed.engine.postgresql.relay.WalFormat.RECORD_HEADER;
import static io.multimed.engine.postgresql.relay.WalFormat.SHORT_PAGE_HEADER;

import io.multimed.engine.postgresql.wire.Lsn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds the records of the write-ahead log as it arrives, in fragments of any size, and hands those on that its {@link RecordTaker} wants.
 *
 * <p>It reads only headers: of records that are not wanted 24 bytes, whatever their length. The end of a record is the position
 * that a Satellite reports once it has replayed the record, and for which the Master's backend waits after a commit: the byte behind the
 * record rounded up to a multiple of 8, still before the next page's header.
 *
 * <p>It checks the values that a wrong step would break: page addresses, the length of continued records, and that every record
 * names the one before it. It does not check checksums: the bytes come from the Master's memory or file through a local socket,
 * and a Satellite checks them again.
 *
 * <p>It has more fields than other classes, since it is one state machine: each field is part of the place within segment, page
 * and record at which a fragment has ended.
 *
 * <p>One thread; in the relay, that of the relay.
 */
final class RecordScanner {
    private enum Expect {
        PAGE_HEADER,
        RECORD_HEADER,
        RECORD_BODY,
        /** Alignment behind a record, or the rest of the segment behind a switch. */
        SKIP
    }

    private final int segmentSize;
    private final int pageSize;
    private final RecordTaker taker;
    /** Memory in which a header that lies in several fragments or pages is put together. */
    private final ByteBuffer header = ByteBuffer.allocate(LONG_PAGE_HEADER).order(ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer recordHeader = ByteBuffer.allocate(RECORD_HEADER).order(ByteOrder.LITTLE_ENDIAN);

    private long position;
    private Expect expect = Expect.PAGE_HEADER;
    /** The part of the log that continues behind the header of the next page. */
    private Expect behindPageHeader = Expect.RECORD_HEADER;

    private long recordStart;
    /** Bytes of the present record that are still to come, page headers not counted. */
    private long recordRemaining;

    private boolean recordIsTaken;
    private boolean recordIsSwitch;
    private long previousRecord = -1;
    private long skipTo;
    private int newestXid;
    private long lastRecordEnd;
    private long recordEndBefore;

    /** @param start where the first fragment begins, the beginning of a page */
    RecordScanner(int segmentSize, int pageSize, long start, RecordTaker taker) {
        if (start % pageSize != 0) {
            throw new IllegalArgumentException("not the beginning of a page: " + Lsn.format(start));
        }
        this.segmentSize = segmentSize;
        this.pageSize = pageSize;
        this.position = start;
        this.taker = taker;
    }

    /** Returns the end of the scanned log. */
    long position() {
        return position;
    }

    /**
     * Returns the position up to which the log may be handed on: the end of a record, or of a page. A walreceiver relies on
     * never getting less of a record than all that lies on one page (XLogSendPhysical, walsender.c).
     *
     * <p>A record ends behind its padding. If a socket cut the log within the padding, the record's end has not been received
     * yet.
     */
    long safeEnd() {
        long recordEnd = lastRecordEnd <= position ? lastRecordEnd : recordEndBefore;
        return Math.max(recordEnd, position - position % pageSize);
    }

    /** Returns where the record begins that has come in part, else the end of the scanned log: all before has come whole. */
    long wholeEnd() {
        return inRecord() && recordStart >= 0 ? recordStart : position;
    }

    /** Returns the highest transaction number seen in any record, 0 before the first. */
    int newestXid() {
        return newestXid;
    }

    /**
     * Takes the next fragment, consuming it, and hands on the parts of records in it.
     *
     * @throws MalformedLogException if it is not the continuation of the previous fragments
     */
    void scan(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            switch (expect) {
                case PAGE_HEADER -> pageHeader(bytes);
                case RECORD_HEADER -> recordHeader(bytes);
                case RECORD_BODY -> recordBody(bytes);
                case SKIP -> skip(bytes);
            }
        }
    }

    private void pageHeader(ByteBuffer bytes) {
        int size = position - header.position() == segmentStart(position) ? LONG_PAGE_HEADER : SHORT_PAGE_HEADER;
        if (!collect(bytes, header, size)) {
            return;
        }
        long page = position - size;
        int info = header.getShort(WalFormat.PAGE_INFO);
        if (header.getLong(WalFormat.PAGE_ADDRESS) != page) {
            throw new MalformedLogException(
                    page, "page says it is " + Lsn.format(header.getLong(WalFormat.PAGE_ADDRESS)));
        }
        if ((info & WalFormat.LONG_HEADER) != 0 != (size == LONG_PAGE_HEADER)) {
            throw new MalformedLogException(page, "page header of unexpected length");
        }
        taker.release(Short.toUnsignedInt(header.getShort(0)));
        long continued = Integer.toUnsignedLong(header.getInt(WalFormat.PAGE_REMAINING));
        header.clear();
        expect = behindPageHeader;
        if ((info & WalFormat.FIRST_IS_CONTRECORD) != 0) {
            continueRecord(page, continued);
        } else if (inRecord()) {
            if ((info & WalFormat.FIRST_IS_OVERWRITE_CONTRECORD) == 0) {
                throw new MalformedLogException(page, "record of " + Lsn.format(recordStart) + " is not continued");
            }
            abandonRecord();
        }
    }

    private void continueRecord(long page, long continued) {
        if (!inRecord()) {
            if (previousRecord >= 0) {
                throw new MalformedLogException(page, "continues a record that ended");
            }
            // The log was entered inside this record; only its end is known.
            recordStart = -1;
            recordRemaining = continued;
            recordIsTaken = false;
            recordIsSwitch = false;
            expect = Expect.RECORD_BODY;
        } else if (recordHeader.position() == 0 && continued != recordRemaining) {
            throw new MalformedLogException(
                    page, "continues a record by " + continued + " bytes where " + recordRemaining + " are missing");
        }
    }

    private boolean inRecord() {
        return recordRemaining > 0 || recordHeader.position() > 0;
    }

    private void abandonRecord() {
        recordRemaining = 0;
        recordHeader.clear();
        expect = Expect.RECORD_HEADER;
    }

    private void recordHeader(ByteBuffer bytes) {
        if (recordHeader.position() == 0) {
            recordStart = position;
        }
        // A record header may be cut by the end of a page anywhere behind its first 8 bytes.
        int missing = RECORD_HEADER - recordHeader.position();
        int onPage = (int) Math.min(missing, pageEnd() - position);
        if (onPage == missing && recordHeader.position() == 0 && bytes.remaining() >= RECORD_HEADER) {
            int at = bytes.position();
            bytes.position(at + RECORD_HEADER);
            position += RECORD_HEADER;
            beginRecord(bytes, at);
            return;
        }
        int take = Math.min(onPage, bytes.remaining());
        recordHeader.put(recordHeader.position(), bytes, bytes.position(), take);
        recordHeader.position(recordHeader.position() + take);
        bytes.position(bytes.position() + take);
        position += take;
        if (recordHeader.position() == RECORD_HEADER) {
            recordHeader.clear();
            beginRecord(recordHeader, 0);
        } else if (take == onPage) {
            endOfPage(Expect.RECORD_HEADER);
        }
    }

    private void beginRecord(ByteBuffer from, int at) {
        long length = Integer.toUnsignedLong(from.getInt(at));
        if (length == 0 && previousRecord < 0) {
            // The log was entered inside a record that was the switch to the next segment.
            skipTo = segmentStart(position) + segmentSize;
            expect = Expect.SKIP;
            return;
        }
        if (length < RECORD_HEADER) {
            throw new MalformedLogException(recordStart, "record of " + length + " bytes");
        }
        long previous = from.getLong(at + WalFormat.RECORD_PREVIOUS);
        if (previousRecord >= 0 && previous != previousRecord) {
            throw new MalformedLogException(
                    recordStart,
                    "record follows " + Lsn.format(previous) + " instead of " + Lsn.format(previousRecord));
        }
        int xid = from.getInt(at + WalFormat.RECORD_XID);
        if (xid != 0 && (newestXid == 0 || xid - newestXid > 0)) {
            newestXid = xid;
        }
        int info = Byte.toUnsignedInt(from.get(at + WalFormat.RECORD_INFO));
        int manager = Byte.toUnsignedInt(from.get(at + WalFormat.RECORD_MANAGER));
        recordIsSwitch = manager == WalFormat.RM_XLOG && (info & WalFormat.MANAGER_INFO) == WalFormat.XLOG_SWITCH;
        recordIsTaken = taker.begin(recordStart, xid, manager, info, length - RECORD_HEADER);
        recordRemaining = length - RECORD_HEADER;
        if (recordRemaining == 0) {
            endRecord();
        } else if (position % pageSize == 0) {
            endOfPage(Expect.RECORD_BODY);
        } else {
            expect = Expect.RECORD_BODY;
        }
    }

    private void recordBody(ByteBuffer bytes) {
        int take = (int) Math.min(Math.min(recordRemaining, pageEnd() - position), bytes.remaining());
        if (recordIsTaken) {
            taker.take(bytes, take);
        } else {
            bytes.position(bytes.position() + take);
        }
        position += take;
        recordRemaining -= take;
        if (recordRemaining == 0) {
            endRecord();
        } else if (position % pageSize == 0) {
            endOfPage(Expect.RECORD_BODY);
        }
    }

    private void endRecord() {
        long end = WalFormat.align(position);
        recordEndBefore = lastRecordEnd;
        lastRecordEnd = end;
        if (recordStart >= 0) {
            previousRecord = recordStart;
        }
        if (recordIsTaken) {
            recordIsTaken = false;
            taker.end(end);
        }
        if (recordIsSwitch) {
            // Nothing follows in this segment; pages that were never used may not even have headers.
            long segment = segmentStart(end);
            skipTo = end == segment ? end : segment + segmentSize;
        } else {
            skipTo = end;
        }
        if (skipTo > position) {
            expect = Expect.SKIP;
        } else {
            nextRecord();
        }
    }

    private void skip(ByteBuffer bytes) {
        int take = (int) Math.min(skipTo - position, bytes.remaining());
        bytes.position(bytes.position() + take);
        position += take;
        if (position == skipTo) {
            nextRecord();
        }
    }

    private void nextRecord() {
        if (position % pageSize == 0) {
            endOfPage(Expect.RECORD_HEADER);
        } else {
            expect = Expect.RECORD_HEADER;
        }
    }

    private void endOfPage(Expect next) {
        expect = Expect.PAGE_HEADER;
        behindPageHeader = next;
    }

    /** Copies up to {@code size} bytes into {@code into}; returns whether they are complete. */
    private boolean collect(ByteBuffer bytes, ByteBuffer into, int size) {
        int take = Math.min(size - into.position(), bytes.remaining());
        into.put(into.position(), bytes, bytes.position(), take);
        into.position(into.position() + take);
        bytes.position(bytes.position() + take);
        position += take;
        return into.position() == size;
    }

    /** Returns the end of the page on which the byte at {@code position} lies. */
    private long pageEnd() {
        return position - position % pageSize + pageSize;
    }

    private long segmentStart(long at) {
        return at - at % segmentSize;
    }
}
