package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.InsertedObjects;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Writes a log in PostgreSQL's format, with pages and segments so small that every record crosses a boundary. */
final class WalWriter {
    static final int PAGE = 256;
    static final int SEGMENT = 8 * PAGE;

    private static final int[] CATALOGS = {1259, 1247, 2606};
    private static final InsertedObjects.Kind[] KINDS = {
        InsertedObjects.Kind.RELATION, InsertedObjects.Kind.TYPE, InsertedObjects.Kind.CONSTRAINT
    };

    record Commit(long end, int xid, boolean catalog, boolean shared, int databaseOid) {}

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Commit> commits = new ArrayList<>();
    private final List<InsertedObjects.Row> inserts = new ArrayList<>();
    private final Map<Commit, Long> starts = new HashMap<>();
    private final Set<Long> unusedPages = new HashSet<>();
    private final List<Long> recordEnds = new ArrayList<>();
    private final long start;
    private final int magic;
    private long position;
    private long previous;
    private boolean overwrite;

    WalWriter(long start, int magic) {
        this.start = start;
        this.position = start;
        this.magic = magic;
    }

    /** Returns the beginning of a log of random contents. */
    static WalWriter random(Random random) {
        int magic = random.nextBoolean() ? 0xD110 : 0xD118;
        WalWriter writer = new WalWriter((long) SEGMENT * random.nextInt(1, 1 << 30), magic);
        int records = random.nextInt(1, 60);
        for (int i = 0; i < records; i++) {
            switch (random.nextInt(10)) {
                case 0 -> writer.switchSegment();
                case 1 -> writer.lostInCrash(random);
                case 2 -> writer.randomInsert(random);
                case 3, 4 -> writer.record(10, 0x20, random.nextInt(), bytes(random, random.nextInt(0, 900)));
                case 5 -> writer.record(1, 0x20, random.nextInt(), bytes(random, 40));
                default -> writer.randomCommit(random);
            }
        }
        return writer;
    }

    private void randomCommit(Random random) {
        boolean prepared = random.nextInt(3) == 0;
        boolean info = prepared || random.nextBoolean();
        int xid = random.nextInt(1, Integer.MAX_VALUE);
        int databaseOid = info && random.nextBoolean() ? random.nextInt(1, 100_000) : 0;
        boolean catalog = info && random.nextBoolean();
        boolean shared = catalog && random.nextBoolean();
        ByteArrayOutputStream main = new ByteArrayOutputStream();
        main.writeBytes(bytes(random, 8));
        if (info) {
            int subtransactions = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 0;
            int relations = random.nextInt(3) == 0 ? random.nextInt(1, 20) : 0;
            int statistics = random.nextInt(3) == 0 ? random.nextInt(1, 20) : 0;
            int invalidations = catalog ? random.nextInt(1, 20) : 0;
            int flags = (databaseOid != 0 ? 1 : 0)
                    | (subtransactions > 0 ? 2 : 0)
                    | (relations > 0 ? 4 : 0)
                    | (catalog ? 8 : 0)
                    | (prepared ? 16 : 0)
                    | (prepared && random.nextBoolean() ? 128 : 0)
                    | (statistics > 0 ? 256 : 0);
            main.writeBytes(little(flags));
            if (databaseOid != 0) {
                main.writeBytes(little(databaseOid));
                main.writeBytes(bytes(random, 4));
            }
            list(main, random, subtransactions, 4);
            list(main, random, relations, 12);
            list(main, random, statistics, magic >= 0xD118 ? 16 : 12);
            invalidations(main, random, invalidations, shared);
            if (prepared) {
                main.writeBytes(little(xid));
            }
            if ((flags & 128) != 0) {
                main.writeBytes(new byte[] {'g', 'i', 'd', 0});
            }
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (random.nextInt(4) == 0) {
            body.write(253);
            body.writeBytes(bytes(random, 2));
        }
        if (main.size() < 256 && random.nextBoolean()) {
            body.write(255);
            body.write(main.size());
        } else {
            body.write(254);
            body.writeBytes(little(main.size()));
        }
        body.writeBytes(main.toByteArray());
        record(1, (prepared ? 0x30 : 0) | (info ? 0x80 : 0), prepared ? 0 : xid, body.toByteArray());
        Commit commit = new Commit(position, xid, catalog, shared, databaseOid);
        commits.add(commit);
        starts.put(commit, previous);
    }

    /** Writes an insert into a table or a system catalog, with the row or with an image of its page. */
    private void randomInsert(Random random) {
        boolean image = random.nextInt(4) == 0;
        int catalog = random.nextInt(CATALOGS.length);
        int file = random.nextInt(3) == 0 ? random.nextInt(16384, Integer.MAX_VALUE) : CATALOGS[catalog];
        int database = random.nextInt(1, 100_000);
        int oid = random.nextInt();
        int schema = random.nextInt();
        int bitmap = random.nextInt(0, 6);
        int offset = 23 + bitmap + 7 & ~7;
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row.writeBytes(bytes(random, 4));
        row.write(offset);
        row.writeBytes(bytes(random, offset - 23));
        row.writeBytes(little(oid));
        row.writeBytes(bytes(random, 64));
        row.writeBytes(little(schema));
        row.writeBytes(bytes(random, random.nextInt(300)));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(0);
        body.write(image ? 0x10 : random.nextBoolean() ? 0x60 : 0x20);
        int length = image ? 0 : row.size();
        body.write(length);
        body.write(length >> 8);
        if (image) {
            body.writeBytes(bytes(random, 5));
        }
        body.writeBytes(little(1663));
        body.writeBytes(little(database));
        body.writeBytes(little(file));
        body.writeBytes(bytes(random, 4));
        if (random.nextInt(3) == 0) {
            visibilityMap(body, random);
        }
        if (random.nextInt(4) == 0) {
            body.write(253);
            body.writeBytes(bytes(random, 2));
        }
        if (random.nextInt(4) == 0) {
            body.write(252);
            body.writeBytes(bytes(random, 4));
        }
        body.write(255);
        body.write(3);
        body.writeBytes(image ? bytes(random, 500) : row.toByteArray());
        body.writeBytes(bytes(random, 3));
        record(10, random.nextBoolean() ? 0x80 : 0, random.nextInt(), body.toByteArray());
        if (!image && file < 16384) {
            inserts.add(new InsertedObjects.Row(database, KINDS[catalog], oid, schema));
        }
    }

    /** Writes the header of a second block, which has no data. */
    private static void visibilityMap(ByteArrayOutputStream body, Random random) {
        boolean image = random.nextBoolean();
        boolean sameFile = random.nextBoolean();
        body.write(1);
        body.write(2 | (image ? 0x10 : 0) | (sameFile ? 0x80 : 0));
        body.writeBytes(bytes(random, 2));
        if (image) {
            boolean compressed = random.nextBoolean();
            body.writeBytes(bytes(random, 4));
            body.write(compressed ? 0x0B : 0x03);
            body.writeBytes(bytes(random, compressed ? 2 : 0));
        }
        body.writeBytes(bytes(random, (sameFile ? 0 : 12) + 4));
    }

    private static void list(ByteArrayOutputStream into, Random random, int entries, int size) {
        if (entries > 0) {
            into.writeBytes(little(entries));
            into.writeBytes(bytes(random, entries * size));
        }
    }

    /** Writes invalidations. If {@code shared} is set, one of them is of a catalog that all databases share, otherwise none. */
    private static void invalidations(ByteArrayOutputStream into, Random random, int entries, boolean shared) {
        if (entries == 0) {
            return;
        }
        into.writeBytes(little(entries));
        int chosen = shared ? random.nextInt(entries) : -1;
        for (int i = 0; i < entries; i++) {
            byte[] message = bytes(random, 16);
            boolean settings = random.nextBoolean();
            message[0] = (byte) (i == chosen ? settings ? -5 : random.nextInt(100) : random.nextInt(-5, 100));
            System.arraycopy(little(i == chosen ? 0 : random.nextInt(1, 100_000)), 0, message, 4, 4);
            System.arraycopy(little(i == chosen && settings ? 2964 : 1259), 0, message, 8, 4);
            into.writeBytes(message);
        }
    }

    void record(int manager, int info, int xid, byte[] body) {
        long began = begin();
        byte[] bytes = header(manager, info, xid, body);
        write(bytes, bytes.length);
        previous = began;
        pad();
        recordEnds.add(position);
    }

    private void switchSegment() {
        record(0, 0x40, 0, new byte[0]);
        while (position % SEGMENT != 0) {
            if (position % PAGE == 0) {
                unusedPages.add(position);
            }
            put((byte) 0);
        }
    }

    /** Writes a record without an end: the engine died, and began the next page anew. */
    private void lostInCrash(Random random) {
        begin();
        byte[] bytes = header(10, 0, 7, bytes(random, 3 * PAGE));
        int onPage = (int) (PAGE - position % PAGE);
        write(bytes, Math.min(bytes.length, onPage + random.nextInt(2) * (PAGE - 40)));
        while (position % PAGE != 0) {
            put((byte) 0);
        }
        overwrite = true;
    }

    private long begin() {
        if (position % PAGE == 0) {
            pageHeader(0);
        }
        return position;
    }

    private byte[] header(int manager, int info, int xid, byte[] body) {
        ByteBuffer bytes = ByteBuffer.allocate(24 + body.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(24 + body.length).putInt(xid).putLong(previous);
        bytes.put((byte) info).put((byte) manager).putShort((short) 0).putInt(0x12345678);
        return bytes.put(body).array();
    }

    private void write(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (position % PAGE == 0) {
                pageHeader(bytes.length - i);
            }
            put(bytes[i]);
        }
    }

    private void pad() {
        while (position % 8 != 0) {
            put((byte) 0);
        }
    }

    private void pageHeader(int remaining) {
        boolean segment = position % SEGMENT == 0;
        int info = (remaining > 0 ? 1 : 0) | (segment ? 2 : 0) | (overwrite ? 8 : 0);
        overwrite = false;
        ByteBuffer header = ByteBuffer.allocate(segment ? 40 : 24).order(ByteOrder.LITTLE_ENDIAN);
        header.putShort((short) magic)
                .putShort((short) info)
                .putInt(1)
                .putLong(position)
                .putInt(remaining);
        header.putInt(0);
        if (segment) {
            header.putLong(42).putInt(SEGMENT).putInt(PAGE);
        }
        for (byte b : header.array()) {
            put(b);
        }
    }

    private void put(byte b) {
        out.write(b);
        position++;
    }

    private static byte[] little(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    private static byte[] bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    long start() {
        return start;
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    /** Returns the rows of system catalogs that the log contains. */
    List<InsertedObjects.Row> inserts() {
        return inserts;
    }

    List<Commit> commits() {
        return commits;
    }

    long startOf(Commit commit) {
        return starts.get(commit);
    }

    /** Whether the page lies behind a switch of segments and has no header. */
    boolean unusedPage(long at) {
        return unusedPages.contains(at);
    }

    List<Long> recordEnds() {
        return recordEnds;
    }
}
