package io.multimed.bench.freshness;

import io.multimed.bench.client.Choices;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.measure.MeasuredOperations;
import java.sql.SQLException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** A client that writes its own row and reads any row. Runs on a thread of its own. */
final class FreshnessClient implements Worker {
    static final int READ = 0;
    static final int UPDATE = 1;

    private static final String WRITE = "UPDATE freshness SET version = ? WHERE id = ?";
    private static final String LOOK = "SELECT version FROM freshness WHERE id = ?";

    private final int number;
    private final FreshnessTrial trial;
    private final BooleanSupplier going;
    private final RandomGenerator random;
    private final Transactions transactions;
    /** Greatest version of each row that this session has seen or made. */
    private final long[] seen;

    FreshnessClient(
            int number,
            FreshnessTrial trial,
            Transactions.Opening opening,
            MeasuredOperations recording,
            BooleanSupplier going) {
        this.number = number;
        this.trial = trial;
        this.going = going;
        this.random = new SplittableRandom(trial.seed() * 1_000_003 + number);
        this.transactions = new Transactions(opening, recording, trial.told(), new Choices(new SplittableRandom(1)));
        this.seen = new long[trial.clients() + 1];
    }

    @Override
    public void connect() throws SQLException {
        transactions.connect();
    }

    @Override
    public void run() {
        while (going.getAsBoolean()) {
            if (random.nextInt(100) < trial.updates()) {
                update();
            } else {
                read(1 + random.nextInt(trial.clients()));
            }
        }
    }

    /**
     * Makes the next version of a row. If an update failed, it may or may not have committed, so the next one makes the same
     * version.
     */
    private void update() {
        long version = trial.commits().last(number) + 1;
        Optional<Integer> changed = transactions.perform(UPDATE, false, sql -> {
            int rows = sql.change(WRITE, version, number);
            if (rows != 1) {
                throw new WrongAnswerException("row " + number + " is there " + rows + " times");
            }
            return rows;
        });
        if (changed.isPresent()) {
            trial.commits().acknowledged(number, version, System.nanoTime());
            seen[number] = version;
        }
    }

    private void read(int row) {
        long acknowledged = trial.commits().last(row);
        long began = System.nanoTime();
        transactions
                .perform(READ, true, sql -> sql.only(found -> found.getLong(1), LOOK, row))
                .ifPresent(version -> {
                    trial.staleness().read(row, version, acknowledged, began, seen[row]);
                    seen[row] = Math.max(seen[row], version);
                });
    }

    @Override
    public void disconnect() {
        transactions.disconnect();
    }
}
