package io.multimed.engine.postgresql.relay;

/**
 * The few facts about the write-ahead log that the Relay relies on, the same in PostgreSQL 15 to 18 (access/xlog_internal.h,
 * access/xlogrecord.h, access/xact.h). Numbers in the log are in the machine's byte order: little-endian here.
 */
final class WalFormat {
    /** Page header: magic u16, info u16, timeline u32, page address u64, rem_len u32, padding. */
    static final int SHORT_PAGE_HEADER = 24;
    /** The first page of a segment also has: system identifier u64, segment size u32, block size u32. */
    static final int LONG_PAGE_HEADER = 40;

    static final int PAGE_INFO = 2;
    static final int PAGE_ADDRESS = 8;
    static final int PAGE_REMAINING = 16;

    /** The page begins with the rest of a record that began earlier. */
    static final int FIRST_IS_CONTRECORD = 0x0001;

    static final int LONG_HEADER = 0x0002;
    /** The rest of the record that began earlier was lost in a crash and never comes. */
    static final int FIRST_IS_OVERWRITE_CONTRECORD = 0x0008;

    /** Record header: total length u32, xid u32, previous record u64, info u8, resource manager u8, padding, CRC u32. */
    static final int RECORD_HEADER = 24;

    static final int RECORD_XID = 4;
    static final int RECORD_PREVIOUS = 8;
    static final int RECORD_INFO = 16;
    static final int RECORD_MANAGER = 17;

    static final int RM_XLOG = 0;
    static final int XLOG_NEXTOID = 0x30;
    static final int XLOG_SWITCH = 0x40;
    static final int RM_XACT = 1;
    static final int XACT_OPERATION = 0x70;
    static final int XACT_COMMIT = 0x00;
    static final int XACT_COMMIT_PREPARED = 0x30;
    static final int XACT_HAS_INFO = 0x80;
    static final int XACT_ABORT = 0x20;
    static final int XACT_ABORT_PREPARED = 0x40;
    static final int RM_STANDBY = 8;
    static final int STANDBY_RUNNING = 0x10;
    static final int RM_HEAP = 10;
    static final int HEAP_OPERATION = 0x70;
    static final int HEAP_INSERT = 0x00;
    static final int RM_MESSAGE = 21;
    /** The upper half belongs to the resource manager. */
    static final int MANAGER_INFO = 0xF0;

    /** The kinds of blocks in front of the main data. */
    static final int BLOCK_DATA_SHORT = 255;

    static final int BLOCK_DATA_LONG = 254;
    static final int BLOCK_ORIGIN = 253;
    static final int BLOCK_TOP_TRANSACTION = 252;

    /** The first two bytes of a page in each release. */
    static final int MAGIC_15 = 0xD110;

    static final int MAGIC_16 = 0xD113;
    static final int MAGIC_17 = 0xD116;
    /** Magic of version 18, from which on an entry of dropped statistics has 16 bytes instead of 12. */
    static final int MAGIC_18 = 0xD118;

    private WalFormat() {}

    /** Records begin at multiples of 8. */
    static long align(long position) {
        return (position + 7) & ~7L;
    }
}
