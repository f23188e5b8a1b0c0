package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the part of a commit record behind its header, in fragments of any size (xl_xact_commit, access/xact.h).
 *
 * <p>For most commits only flags and database are read. Behind lists of any length, which are skipped, come the invalidations
 * of a transaction that changed a catalog, and the number of one that was prepared. The record of a rollback has the same form, and
 * fewer fields.
 *
 * <p>It has more fields than other classes, since it is one state machine: each field is a part of the record at which a fragment
 * may have ended.
 */
final class CommitBody {
    private static final int HAS_DATABASE = 1;
    private static final int HAS_SUBTRANSACTIONS = 1 << 1;
    private static final int HAS_RELATIONS = 1 << 2;
    private static final int HAS_INVALIDATIONS = 1 << 3;
    private static final int HAS_PREPARED = 1 << 4;
    private static final int HAS_DROPPED_STATISTICS = 1 << 8;

    private static final int SUBTRANSACTION = 4;
    private static final int RELATION = 12;

    /**
     * Numbers between the kind and the database of an invalidation (storage/sinval.h), which has its kind, its database and one
     * more number, and takes 16 bytes.
     */
    private static final int BETWEEN_KIND_AND_DATABASE = 3;

    private static final int BEHIND_VALUE = 4;

    /** The fields in the order of the record; the state names the field that comes next. */
    private enum Field {
        BLOCK(1),
        FLAGS(4),
        DATABASE(4),
        SUBTRANSACTIONS(4),
        SUBTRANSACTION(4),
        RELATIONS(4),
        DROPPED_STATISTICS(4),
        INVALIDATIONS(4),
        INVALIDATION_KIND(1),
        INVALIDATED_DATABASE(4),
        INVALIDATED_VALUE(4),
        PREPARED(4),
        REST(0);

        final int size;

        Field(int size) {
            this.size = size;
        }
    }

    private final boolean collects;
    private int[] subtransactions = new int[0];
    private int subtransactionCount;
    private int subtransactionsLeft;
    private int statisticsEntrySize = 12;
    private long recordStart;
    private boolean hasInfo;
    private Field field = Field.REST;
    private long skip;
    private long value;
    private int have;
    private int flags;
    private int databaseOid;
    private int preparedXid;
    private boolean prepared;
    private int invalidations;
    private byte invalidationKind;
    private int invalidatedDatabase;
    private final Invalidations messages = new Invalidations();
    private ChangedObjects changed = ChangedObjects.NONE;

    /** Makes a reader that skips the numbers of subtransactions. */
    CommitBody() {
        this(false);
    }

    /** @param collects whether it keeps the numbers of subtransactions */
    CommitBody(boolean collects) {
        this.collects = collects;
    }

    /** @param magic of the log's pages: records differ between releases */
    void release(int magic) {
        statisticsEntrySize = magic >= WalFormat.MAGIC_18 ? 16 : 12;
        messages.release(magic);
    }

    void begin(long start, boolean withInfo, boolean ofPrepared) {
        recordStart = start;
        hasInfo = withInfo;
        prepared = ofPrepared;
        field = Field.BLOCK;
        skip = 0;
        have = 0;
        value = 0;
        flags = 0;
        databaseOid = 0;
        preparedXid = 0;
        changed = ChangedObjects.NONE;
        subtransactionCount = 0;
        messages.forget();
    }

    /** Reads the next {@code length} bytes of the record. */
    void take(ByteBuffer bytes, int length) {
        int end = bytes.position() + length;
        while (bytes.position() < end && (skip > 0 || field != Field.REST)) {
            if (skip > 0) {
                int step = (int) Math.min(skip, end - bytes.position());
                bytes.position(bytes.position() + step);
                skip -= step;
                continue;
            }
            value |= Byte.toUnsignedLong(bytes.get()) << (8 * have);
            have++;
            if (have == field.size) {
                int complete = (int) value;
                have = 0;
                value = 0;
                next(complete);
            }
        }
        bytes.position(end);
    }

    private void next(int complete) {
        switch (field) {
            case BLOCK -> block(complete);
            case FLAGS -> {
                flags = complete;
                after(Field.FLAGS);
            }
            case DATABASE -> {
                databaseOid = complete;
                // The database's tablespace is skipped.
                skip = 4;
                after(Field.DATABASE);
            }
            case SUBTRANSACTIONS -> {
                if (collects) {
                    subtransactionsLeft = length(complete);
                    nextSubtransaction();
                } else {
                    list(complete, SUBTRANSACTION);
                }
            }
            case SUBTRANSACTION -> {
                if (subtransactionCount == subtransactions.length) {
                    subtransactions = Arrays.copyOf(subtransactions, 2 * subtransactionCount + 8);
                }
                subtransactions[subtransactionCount++] = complete;
                nextSubtransaction();
            }
            case RELATIONS -> list(complete, RELATION);
            case DROPPED_STATISTICS -> list(complete, statisticsEntrySize);
            case INVALIDATIONS -> {
                invalidations = length(complete);
                nextInvalidation();
            }
            case INVALIDATION_KIND -> {
                invalidationKind = (byte) complete;
                skip = BETWEEN_KIND_AND_DATABASE;
                field = Field.INVALIDATED_DATABASE;
            }
            case INVALIDATED_DATABASE -> {
                invalidatedDatabase = complete;
                field = Field.INVALIDATED_VALUE;
            }
            case INVALIDATED_VALUE -> {
                messages.message(invalidationKind, invalidatedDatabase, complete);
                skip = BEHIND_VALUE;
                nextInvalidation();
            }
            case PREPARED -> {
                preparedXid = complete;
                field = Field.REST;
            }
            case REST -> throw new IllegalStateException("no value in " + field);
        }
    }

    private void block(int kind) {
        switch (kind) {
            // The length of the main data is skipped, then the time of the commit.
            case WalFormat.BLOCK_DATA_SHORT -> mainData(1);
            case WalFormat.BLOCK_DATA_LONG -> mainData(4);
            case WalFormat.BLOCK_ORIGIN -> skip = 2;
            case WalFormat.BLOCK_TOP_TRANSACTION -> skip = 4;
            default -> throw new MalformedLogException(recordStart, "commit record with a block of kind " + kind);
        }
    }

    private void mainData(int lengthBytes) {
        skip = lengthBytes + 8L;
        field = hasInfo ? Field.FLAGS : Field.REST;
    }

    private void list(int entries, int size) {
        skip = (long) length(entries) * size;
        after(field);
    }

    private int length(int entries) {
        if (entries < 0) {
            throw new MalformedLogException(recordStart, "commit record with a list of " + entries + " entries");
        }
        return entries;
    }

    private void nextInvalidation() {
        if (invalidations-- > 0) {
            field = Field.INVALIDATION_KIND;
        } else {
            after(Field.INVALIDATED_VALUE);
        }
    }

    private void nextSubtransaction() {
        if (subtransactionsLeft-- > 0) {
            field = Field.SUBTRANSACTION;
        } else {
            after(Field.SUBTRANSACTION);
        }
    }

    /** Proceeds to the next field that this record has. */
    private void after(Field done) {
        if (done.compareTo(Field.DATABASE) < 0 && has(HAS_DATABASE)) {
            field = Field.DATABASE;
        } else if (!prepared
                && !has(HAS_INVALIDATIONS)
                && !(collects && has(HAS_SUBTRANSACTIONS) && done.compareTo(Field.SUBTRANSACTIONS) < 0)) {
            field = Field.REST;
        } else if (done.compareTo(Field.SUBTRANSACTIONS) < 0 && has(HAS_SUBTRANSACTIONS)) {
            field = Field.SUBTRANSACTIONS;
        } else if (done.compareTo(Field.RELATIONS) < 0 && has(HAS_RELATIONS)) {
            field = Field.RELATIONS;
        } else if (done.compareTo(Field.DROPPED_STATISTICS) < 0 && has(HAS_DROPPED_STATISTICS)) {
            field = Field.DROPPED_STATISTICS;
        } else if (done.compareTo(Field.INVALIDATIONS) < 0 && has(HAS_INVALIDATIONS)) {
            field = Field.INVALIDATIONS;
        } else {
            field = has(HAS_PREPARED) ? Field.PREPARED : Field.REST;
        }
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Ends the record. */
    void end() {
        if (skip > 0 || field != Field.REST || (prepared && preparedXid == 0)) {
            throw new MalformedLogException(recordStart, "commit record ends in " + field);
        }
        if (has(HAS_INVALIDATIONS)) {
            changed = messages.end();
        }
    }

    /** Returns the changed objects in system catalogs; null if there are none. */
    @Nullable
    ChangedObjects changed() {
        return has(HAS_INVALIDATIONS) ? changed : null;
    }

    int databaseOid() {
        return databaseOid;
    }

    /** Returns the numbers of the subtransactions that are part of it, if they are collected. */
    int[] subtransactions() {
        return Arrays.copyOf(subtransactions, subtransactionCount);
    }

    /** Returns the number of the prepared transaction, 0 for a plain commit. */
    int preparedXid() {
        return preparedXid;
    }
}
