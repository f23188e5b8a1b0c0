package io.multimed.sim;

import java.nio.ByteBuffer;

/**
 * The simulated log: records of a length, a kind and a body, one behind the other. Each transport cuts them into pieces
 * anywhere.
 */
final class LogRecords {
    private static final byte FILLER = 0;
    private static final byte COMMIT = 1;
    private static final int HEADER = 5;

    private LogRecords() {}

    /** The receiver of every commit record. */
    interface CommitHandler {
        /**
         * @param start where the record begins
         * @param end where it ends: the SCN
         * @param version the value it wrote, under all of its keys
         */
        void commit(long start, long end, long transaction, int version, int[] keys);
    }

    /** Returns the log of a transaction before its commit record: it has no meaning here, but takes up room. */
    static byte[] filler(int bytes) {
        return ByteBuffer.allocate(HEADER + bytes)
                .putInt(HEADER + bytes)
                .put(FILLER)
                .array();
    }

    static byte[] commit(long transaction, int version, int[] keys) {
        int length = HEADER + 8 + 4 + 4 * keys.length;
        ByteBuffer record = ByteBuffer.allocate(length)
                .putInt(length)
                .put(COMMIT)
                .putLong(transaction)
                .putInt(version);
        for (int key : keys) {
            record.putInt(key);
        }
        return record.array();
    }

    /** Returns the length of the record that begins at a place in the log. */
    static int length(byte[] log, int start) {
        return ByteBuffer.wrap(log, start, 4).getInt();
    }

    /** Puts pieces together and reports the commits of complete records. */
    static final class Reader {
        private byte[] incomplete = new byte[0];
        private long recordEnd;

        /** @param position where a record begins */
        Reader(long position) {
            recordEnd = position;
        }

        /** Returns the end of the last complete record. */
        long recordEnd() {
            return recordEnd;
        }

        void read(byte[] piece, CommitHandler handler) {
            ByteBuffer bytes = ByteBuffer.allocate(incomplete.length + piece.length)
                    .put(incomplete)
                    .put(piece)
                    .flip();
            while (bytes.remaining() >= 4 && bytes.remaining() >= bytes.getInt(bytes.position())) {
                int length = bytes.getInt(bytes.position());
                report(bytes.slice(bytes.position(), length), handler);
                bytes.position(bytes.position() + length);
                recordEnd += length;
            }
            incomplete = new byte[bytes.remaining()];
            bytes.get(incomplete);
        }

        private void report(ByteBuffer record, CommitHandler handler) {
            if (record.get(4) != COMMIT) {
                return;
            }
            record.position(HEADER);
            long transaction = record.getLong();
            int version = record.getInt();
            int[] keys = new int[record.remaining() / 4];
            record.asIntBuffer().get(keys);
            handler.commit(recordEnd, recordEnd + record.limit(), transaction, version, keys);
        }
    }
}
