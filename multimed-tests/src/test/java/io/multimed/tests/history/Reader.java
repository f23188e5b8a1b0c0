package io.multimed.tests.history;

import io.multimed.testkit.history.Read;
import io.multimed.tests.history.HistorySession.Failed;
import io.multimed.tests.history.HistorySession.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Runs and records reads: autocommit, READ COMMITTED and REPEATABLE READ. */
final class Reader {
    private static final int STATEMENTS = 3;
    /** The first read of transactions that need registers alone: no other begins with this form. */
    private static final String REGISTERS_ALONE = "SELECT k, v FROM register ORDER BY k";

    static final String AGGREGATES = "SELECT count(*), coalesce(sum(id), 0) FROM entry";

    private final HistorySession session;
    private final int number;
    private final int writers;
    private final Recording recording;
    private final RandomGenerator random;

    Reader(HistorySession session, int number, int writers, Recording recording, RandomGenerator random) {
        this.session = session;
        this.number = number;
        this.writers = writers;
        this.recording = recording;
        this.random = random;
    }

    /** The contents of one snapshot, as read so far. */
    private final class Snapshot {
        final long invoked = System.nanoTime();
        /** Time at which the transaction began; 0 if it begins with this snapshot. */
        final long begun;

        final Map<Integer, Long> registers = new HashMap<>();
        long replied;

        Snapshot(long begun) {
            this.begun = begun;
        }

        long count = Read.NOT_LOOKED;
        long sum;
        boolean master;

        void look() throws Failed {
            switch (random.nextInt(6)) {
                case 0 -> aggregates(session.query(AGGREGATES).getFirst(), 0);
                case 1 -> {
                    int register = Schema.some(1, writers, random).getFirst();
                    long[] row = session.query(
                                    "SELECT (SELECT v FROM register WHERE k = ?), count(*), "
                                            + "coalesce(sum(id), 0) FROM entry",
                                    register)
                            .getFirst();
                    register(register, row[0]);
                    aggregates(row, 1);
                }
                case 2 -> all("SELECT k, v FROM register");
                default -> some();
            }
            seen();
        }

        /** Looks at registers alone. */
        void lookAtRegisters(boolean first) throws Failed {
            if (first) {
                all(REGISTERS_ALONE);
            } else {
                some();
            }
            seen();
        }

        private void all(String sql) throws Failed {
            session.query(sql).forEach(row -> register((int) row[0], row[1]));
        }

        private void some() throws Failed {
            List<Integer> some = Schema.some(3, writers, random);
            List<long[]> rows = session.query(
                    "SELECT k, v FROM register WHERE k IN (?, ?, ?)", some.get(0), some.get(1), some.get(2));
            if (rows.size() != some.size()) {
                recording.contradiction(rows.size() + " rows for registers " + some);
            }
            rows.forEach(row -> register((int) row[0], row[1]));
        }

        private void seen() throws Failed {
            if (replied == 0) {
                replied = System.nanoTime();
            }
            master |= session.onMaster();
        }

        private void register(int register, long value) {
            Long before = registers.put(register, value);
            if (before != null && before != value) {
                recording.contradiction("register " + register + " was " + before + ", then " + value);
            }
        }

        private void aggregates(long[] row, int at) {
            if (count != Read.NOT_LOOKED && (count != row[at] || sum != row[at + 1])) {
                recording.contradiction("count was " + count + ", then " + row[at]);
            }
            count = row[at];
            sum = row[at + 1];
        }

        void ended() {
            long since = begun == 0 ? invoked : begun;
            recording.add(new Read(
                    number,
                    session.isPastMultimed() ? Read.PAST_MULTIMED : since,
                    invoked,
                    replied,
                    master,
                    registers,
                    count,
                    sum));
        }
    }

    void autocommit() throws Failed {
        one(new Snapshot(0));
    }

    private void one(Snapshot snapshot) throws Failed {
        snapshot.look();
        snapshot.ended();
    }

    /** Reads registers alone on one snapshot, as the form of the first read tells. */
    void snapshotOfRegisters() throws Failed {
        Snapshot snapshot = new Snapshot(0);
        session.begin(Kind.REPEATABLE_READ_READ_ONLY);
        for (int i = 0; i < STATEMENTS; i++) {
            snapshot.lookAtRegisters(i == 0);
        }
        recording.snapshotOn(session.node());
        snapshot.ended();
        session.commit();
    }

    void transaction(Kind kind) throws Failed {
        if (kind.repeatableRead) {
            Snapshot snapshot = new Snapshot(0);
            session.begin(kind);
            for (int i = 0; i < STATEMENTS; i++) {
                snapshot.look();
            }
            // The values that were read count, whatever the outcome of COMMIT.
            snapshot.ended();
        } else {
            session.begin(kind);
            long begun = 0;
            for (int i = 0; i < STATEMENTS; i++) {
                Snapshot snapshot = new Snapshot(begun);
                one(snapshot);
                begun = begun == 0 ? snapshot.invoked : begun;
            }
        }
        session.commit();
    }
}
