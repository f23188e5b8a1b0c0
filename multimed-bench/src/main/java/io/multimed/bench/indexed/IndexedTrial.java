package io.multimed.bench.indexed;

import io.multimed.bench.client.Choices;
import io.multimed.bench.client.Query;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Trial;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** One run; each client inserts ids of its own. */
record IndexedTrial(IndexedInserts benchmark, IndexedInserts.Loaded loaded, long seed, Inserted told) implements Trial {
    private static final int READ = 0;
    private static final int INSERT = 1;
    private static final long IDS_OF_A_CLIENT = 1_000_000_000_000L;

    @Override
    public List<MeasuredOperations.Kind> kinds() {
        return List.of(
                new MeasuredOperations.Kind("READ", "by an index", true, true, benchmark.reads()),
                new MeasuredOperations.Kind("INSERT", "of rows", false, false, 100 - benchmark.reads()));
    }

    @Override
    public void prepare(Connection connection) {
        // Every run begins with the loaded rows alone.
    }

    @Override
    public Worker client(
            int number, Transactions.Opening opening, MeasuredOperations recording, BooleanSupplier going) {
        return new Client(
                number, new Transactions(opening, recording, told, new Choices(new SplittableRandom(1))), going);
    }

    @Override
    public List<Run.Check> check(Connection master) throws SQLException {
        long inserted = Query.number(master, "SELECT count(*) FROM reading") - loaded.rows();
        long least = told.inserts() * benchmark.batch();
        long most = least + told.unansweredCommits() * benchmark.batch();
        return List.of(new Run.Check(
                "every acknowledged row is there, and no other",
                inserted >= least && inserted <= most ? "" : inserted + " rows, acknowledged were " + least));
    }

    @Override
    public List<String> tables() {
        return List.of("reading");
    }

    private final class Client implements Worker {
        private static final String INSERTION = IndexedInserts.inserted("CAST(? AS bigint)", "CAST(? AS int)");

        private final Transactions transactions;
        private final BooleanSupplier going;
        private final RandomGenerator random;
        private long next;

        Client(int number, Transactions transactions, BooleanSupplier going) {
            this.transactions = transactions;
            this.going = going;
            this.random = new SplittableRandom(seed * 1_000_003 + number);
            this.next = number * IDS_OF_A_CLIENT;
        }

        @Override
        public void connect() throws SQLException {
            transactions.connect();
        }

        @Override
        public void run() {
            while (going.getAsBoolean()) {
                if (random.nextInt(100) < benchmark.reads()) {
                    String query =
                            "SELECT id FROM reading WHERE a" + (1 + random.nextInt(IndexedInserts.INDEXES)) + " = ?";
                    int value = random.nextInt(IndexedInserts.VALUES);
                    transactions.perform(READ, true, sql -> sql.rows(row -> row.getLong(1), query, value));
                } else {
                    long first = next;
                    next += benchmark.batch();
                    transactions
                            .perform(INSERT, false, false, sql -> sql.change(INSERTION, first, benchmark.batch()))
                            .ifPresent(rows -> told.committed());
                }
            }
        }

        @Override
        public void disconnect() {
            transactions.disconnect();
        }
    }
}
