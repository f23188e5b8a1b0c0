package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.InsertedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the objects that are created, with their schemas, from the log of inserts into {@code pg_class}, {@code pg_type} and
 * {@code pg_constraint} (access/heapam_xlog.h). Rows of all three begin with OID, name and OID of the schema.
 *
 * <p>Not every row is found. The log has the whole page instead of the row for the first change after a checkpoint, for
 * example. And a catalog that was rewritten by VACUUM FULL has another file.
 *
 * <p>Relay thread.
 */
final class CatalogInserts {
    /** Most inserts that are kept until they are taken. */
    private static final int MOST = 10_000;

    /** Block header: number u8, flags u8, length of data u16, tablespace u32, database u32, file u32, page u32. */
    private static final int BLOCK_HEADER = 20;

    private static final int LAST_BLOCK = 32;
    private static final int BLOCK_FLAGS = 1;
    private static final int BLOCK_LENGTH = 4;
    private static final int FILE_LOCATOR = 12;
    private static final int PAGE_NUMBER = 4;
    private static final int BLOCK_DATABASE = 8;
    private static final int BLOCK_FILE = 12;
    private static final int FORK = 0x0F;
    private static final int HAS_IMAGE = 0x10;
    private static final int HAS_DATA = 0x20;
    private static final int SAME_FILE = 0x80;
    /** Image header: length u16, offset of the hole u16, flags u8, and length of the hole u16 if the image is compressed. */
    private static final int IMAGE_FLAGS = 4;

    private static final int IMAGE_HEADER = 5;
    private static final int IMAGE_HAS_HOLE = 0x01;
    private static final int IMAGE_COMPRESSED = 0x1C;

    /** The header of a row in the log: flags, four bytes, then the offset of its first column from the beginning of the header. */
    private static final int ROW_OFFSET = 4;

    private static final int ROW_HEADER = 5;
    /** The part of a row's header that is not in the log. */
    private static final int UNLOGGED_HEADER = 23;
    /** Offset of the schema's OID from the first column. */
    private static final int SCHEMA = 4 + 64;

    private static final int PG_TYPE = 1247;
    private static final int PG_CLASS = 1259;
    private static final int PG_CONSTRAINT = 2606;

    /** The beginning of a record: all possible headers, a row's bitmap of 40 columns, and the columns that are read. */
    private final ByteBuffer record = ByteBuffer.allocate(192).order(ByteOrder.LITTLE_ENDIAN);

    private final List<InsertedObjects.Row> rows = new ArrayList<>();
    private boolean wanted;
    private int nextOid;
    private boolean oidsBeginAnew;

    /** Begins a record that is an insert, or the counter of OIDs. */
    void begin() {
        record.clear();
        wanted = true;
    }

    /** Reads the next {@code length} bytes of the record. */
    void take(ByteBuffer bytes, int length) {
        if (wanted) {
            boolean isFirst = record.position() < BLOCK_HEADER;
            int part = Math.min(length, record.remaining());
            record.put(record.position(), bytes, bytes.position(), part).position(record.position() + part);
            if (isFirst && record.position() >= BLOCK_HEADER) {
                wanted = kind(record.getInt(BLOCK_FILE)) != null;
            }
        }
        bytes.position(bytes.position() + length);
    }

    /** Ends a record that is an insert. */
    void endInsert() {
        if (!wanted || record.position() < BLOCK_HEADER) {
            return;
        }
        int flags = record.get(BLOCK_FLAGS);
        Kind kind = kind(record.getInt(BLOCK_FILE));
        if (kind == null || record.get(0) != 0 || (flags & (FORK | HAS_IMAGE | HAS_DATA | SAME_FILE)) != HAS_DATA) {
            return;
        }
        int row = behindHeaders();
        if (row < 0 || row + ROW_HEADER > record.position()) {
            return;
        }
        int columns = row + ROW_HEADER + Byte.toUnsignedInt(record.get(row + ROW_OFFSET)) - UNLOGGED_HEADER;
        if (columns < row + ROW_HEADER || columns + SCHEMA + 4 > record.position()) {
            return;
        }
        if (rows.size() == MOST) {
            rows.clear();
        }
        rows.add(new InsertedObjects.Row(
                record.getInt(BLOCK_DATABASE), kind, record.getInt(columns), record.getInt(columns + SCHEMA)));
    }

    /**
     * Returns the number of bytes before the data of the first block, behind the headers of all; negative if that is not found.
     */
    private int behindHeaders() {
        int at = BLOCK_HEADER;
        while (at < record.position()) {
            int kind = Byte.toUnsignedInt(record.get(at));
            switch (kind) {
                case WalFormat.BLOCK_DATA_SHORT -> {
                    return at + 2;
                }
                case WalFormat.BLOCK_DATA_LONG -> {
                    return at + 5;
                }
                case WalFormat.BLOCK_ORIGIN -> at += 3;
                case WalFormat.BLOCK_TOP_TRANSACTION -> at += 5;
                default -> {
                    if (kind > LAST_BLOCK || at + BLOCK_HEADER > record.position()) {
                        return -1;
                    }
                    at = behindBlock(at);
                }
            }
        }
        return -1;
    }

    /** Returns the position behind the header of a further block, such as that of the visibility map. */
    private int behindBlock(int header) {
        int flags = record.get(header + BLOCK_FLAGS);
        int at = header + BLOCK_LENGTH;
        if ((flags & HAS_IMAGE) != 0) {
            int image = record.get(at + IMAGE_FLAGS);
            boolean hasLength = (image & IMAGE_HAS_HOLE) != 0 && (image & IMAGE_COMPRESSED) != 0;
            at += IMAGE_HEADER + (hasLength ? 2 : 0);
        }
        return at + ((flags & SAME_FILE) != 0 ? 0 : FILE_LOCATOR) + PAGE_NUMBER;
    }

    private static @Nullable Kind kind(int file) {
        return switch (file) {
            case PG_CLASS -> Kind.RELATION;
            case PG_TYPE -> Kind.TYPE;
            case PG_CONSTRAINT -> Kind.CONSTRAINT;
            default -> null;
        };
    }

    /** Ends a record with the counter of OIDs, which contains the limit up to which OIDs may be used. */
    void endCounter() {
        if (record.position() < 6) {
            return;
        }
        int next = record.getInt(2);
        if (Integer.compareUnsigned(next, nextOid) < 0) {
            rows.clear();
            oidsBeginAnew = true;
        }
        nextOid = next;
    }

    /** Returns the rows collected since the last call. */
    InsertedObjects taken() {
        if (rows.isEmpty() && !oidsBeginAnew) {
            return InsertedObjects.NONE;
        }
        InsertedObjects all = new InsertedObjects(rows, oidsBeginAnew);
        rows.clear();
        oidsBeginAnew = false;
        return all;
    }
}
