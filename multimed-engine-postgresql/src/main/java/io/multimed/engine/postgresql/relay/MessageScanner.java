package io.multimed.engine.postgresql.relay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds the messages of one origin in the write-ahead log (pg_logical_emit_message; PostgreSQL writes them whatever {@code wal_level} is), and
 * the ends of all transactions.
 *
 * <p>Any role may write messages. So only those count that begin with words which nobody else knows; of others, no more is kept than is
 * needed to see that.
 *
 * <p>One thread.
 */
public final class MessageScanner {
    /** The receiver of what is found, in the order of the log. */
    public interface Sink {
        /**
         * Takes a message.
         *
         * @param xid the transaction or subtransaction that wrote it
         * @param start where its record begins, which orders the messages
         * @param content the receiver's to keep
         */
        void message(int xid, long start, byte[] content);

        /**
         * Takes a commit.
         *
         * @param subxids the subtransactions that are part of it
         * @param end its SCN
         */
        void committed(int xid, int[] subxids, long end);

        /** Takes the rollback of a transaction or a subtransaction. */
        void aborted(int xid, int[] subxids);

        /** All transactions before {@code oldest} have ended, with or without a record: a crash leaves none. */
        void running(int oldest);
    }

    /** OID of the database u32, whether the message is transactional u8, padding, lengths of prefix and content u64 each. */
    private static final int MESSAGE_HEADER = 24;

    private static final int MESSAGE_TRANSACTIONAL = 4;
    private static final int MESSAGE_PREFIX = 8;
    /** The most bytes in front of the main data of a record without blocks: origin, top transaction, length. */
    private static final int MOST_IN_FRONT = 3 + 5 + 5;
    /** Number of transactions and subtransactions u32 each, whether some are left out, next xid u32; then the oldest one. */
    private static final int RUNNING_OLDEST = 16;

    private static final int FIRST_BYTES = 4 << 10;

    private final int database;
    private final byte[] beginning;
    private final Sink sink;
    private final RecordScanner scanner;

    /**
     * @param start where the first fragment begins, the beginning of a page
     * @param database its OID
     * @param prefix of the messages, with the zero byte behind it
     * @param words with which the contents of the messages begin
     */
    public MessageScanner(
            int segmentSize, int pageSize, long start, int database, byte[] prefix, byte[] words, Sink sink) {
        this.database = database;
        this.sink = sink;
        beginning = Arrays.copyOf(prefix, prefix.length + words.length);
        System.arraycopy(words, 0, beginning, prefix.length, words.length);
        scanner = new RecordScanner(segmentSize, pageSize, start, new Records(prefix.length));
    }

    /** Takes the next fragment of the log, consuming it. */
    public void scan(ByteBuffer bytes) {
        scanner.scan(bytes);
    }

    /** Returns the end of the scanned log. */
    public long position() {
        return scanner.position();
    }

    /** Returns the position up to which every record has come whole; it is no further than the beginning of the one that has come in part. */
    public long wholeEnd() {
        return scanner.wholeEnd();
    }

    /** The records that matter. */
    private final class Records implements RecordTaker {
        private final int prefixLength;
        /** Number of bytes that show whether a message counts. */
        private final int decided = MOST_IN_FRONT + MESSAGE_HEADER + beginning.length;

        private final CommitBody body = new CommitBody(true);
        private byte[] data = new byte[FIRST_BYTES];
        private int have;
        private long start;
        private int xid;
        private int manager;
        private int operation;
        private long length;
        private boolean dropped;

        Records(int prefixLength) {
            this.prefixLength = prefixLength;
        }

        @Override
        public void release(int magic) {
            body.release(magic);
        }

        @Override
        public boolean begin(long at, int transaction, int by, int info, long bytes) {
            start = at;
            xid = transaction;
            manager = by;
            length = bytes;
            have = 0;
            dropped = false;
            switch (by) {
                case WalFormat.RM_XACT -> {
                    operation = info & WalFormat.XACT_OPERATION;
                    boolean prepared =
                            operation == WalFormat.XACT_COMMIT_PREPARED || operation == WalFormat.XACT_ABORT_PREPARED;
                    if (!prepared && operation != WalFormat.XACT_COMMIT && operation != WalFormat.XACT_ABORT) {
                        return false;
                    }
                    body.begin(at, (info & WalFormat.XACT_HAS_INFO) != 0, prepared);
                    return true;
                }
                case WalFormat.RM_STANDBY -> {
                    return (info & WalFormat.MANAGER_INFO) == WalFormat.STANDBY_RUNNING;
                }
                case WalFormat.RM_MESSAGE -> {
                    return true;
                }
                default -> {
                    return false;
                }
            }
        }

        @Override
        public void take(ByteBuffer bytes, int count) {
            if (manager == WalFormat.RM_XACT) {
                body.take(bytes, count);
                return;
            }
            int left = count;
            if (!dropped && have < decided) {
                int part = Math.min(left, decided - have);
                keep(bytes, part);
                left -= part;
                dropped = have == decided && manager == WalFormat.RM_MESSAGE && content() < 0;
            }
            if (dropped) {
                bytes.position(bytes.position() + left);
            } else {
                keep(bytes, left);
            }
        }

        private void keep(ByteBuffer bytes, int count) {
            if (have + count > data.length) {
                // It grows by what has come, and never beyond the record.
                data = Arrays.copyOf(data, (int) Math.min(length, Math.max(2L * data.length, have + count)));
            }
            bytes.get(data, have, count);
            have += count;
        }

        @Override
        public void end(long end) {
            switch (manager) {
                case WalFormat.RM_XACT -> {
                    body.end();
                    int ended = body.preparedXid() != 0 ? body.preparedXid() : xid;
                    if (operation == WalFormat.XACT_COMMIT || operation == WalFormat.XACT_COMMIT_PREPARED) {
                        sink.committed(ended, body.subtransactions(), end);
                    } else {
                        sink.aborted(ended, body.subtransactions());
                    }
                }
                case WalFormat.RM_STANDBY -> {
                    int main = main();
                    if (main < 0 || main + RUNNING_OLDEST + Integer.BYTES > have) {
                        throw new MalformedLogException(start, "a list of running transactions of " + have + " bytes");
                    }
                    sink.running(words().getInt(main + RUNNING_OLDEST));
                }
                default -> {
                    int content = dropped ? -1 : content();
                    if (content >= 0) {
                        sink.message(xid, start, Arrays.copyOfRange(data, content, have));
                    }
                }
            }
            if (data.length > FIRST_BYTES) {
                data = new byte[FIRST_BYTES];
            }
        }

        private ByteBuffer words() {
            return ByteBuffer.wrap(data, 0, have).order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Returns where the main data begins; negative if that has not come. */
        private int main() {
            int at = 0;
            while (at < have) {
                switch (Byte.toUnsignedInt(data[at])) {
                    case WalFormat.BLOCK_DATA_SHORT -> {
                        return at + 2;
                    }
                    case WalFormat.BLOCK_DATA_LONG -> {
                        return at + 5;
                    }
                    case WalFormat.BLOCK_ORIGIN -> at += 3;
                    case WalFormat.BLOCK_TOP_TRANSACTION -> at += 5;
                    default -> throw new MalformedLogException(start, "a record with a block of kind " + data[at]);
                }
            }
            return -1;
        }

        /** Returns where the content of the message begins; negative if it does not count. */
        private int content() {
            int main = main();
            if (main < 0 || main + MESSAGE_HEADER + beginning.length > have) {
                return -1;
            }
            ByteBuffer in = words();
            int prefix = main + MESSAGE_HEADER;
            boolean counts = in.getInt(main) == database
                    && in.get(main + MESSAGE_TRANSACTIONAL) != 0
                    && in.getLong(main + MESSAGE_PREFIX) == prefixLength
                    && Arrays.equals(data, prefix, prefix + beginning.length, beginning, 0, beginning.length);
            return counts ? prefix + prefixLength : -1;
        }
    }
}
