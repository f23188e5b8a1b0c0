package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.Choices;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * One emulated browser after another, without think time: session after session on one connection until it is stopped. Runs on
 * a thread of its own.
 */
public final class EmulatedBrowser implements Worker {
    private static final double MEAN_THINK_SECONDS = 7;
    private static final double LONGEST_THINK_SECONDS = 70;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The common settings of all clients of a run.
     *
     * @param going whether clients are to go on
     */
    public record Setting(
            Transactions.Opening opening,
            Chain chain,
            TpcwScale scale,
            BenchmarkDialect dialect,
            long seed,
            MeasuredOperations recording,
            TpcwTally tally,
            BooleanSupplier going) {}

    private final Setting setting;
    private final RandomGenerator random;
    private final Transactions transactions;
    private final Interactions interactions;
    /**
     * The clock by which sessions end, in nanoseconds: the think time that its browsers would have taken so far. So a session
     * has as many interactions as with think time, and the same ones against a fast system as against a slow one.
     */
    private long clock;

    /**
     * @param number from 1, also that of its cart
     */
    public EmulatedBrowser(Setting setting, int number) {
        this.setting = setting;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(setting.seed() * 1_000_003 + number);
        Choices choices = new Choices(random);
        this.transactions = new Transactions(
                setting.opening(), setting.dialect().beginning(), setting.recording(), setting.tally(), choices);
        this.interactions = new Interactions(transactions.sql(), setting.scale(), setting.dialect(), choices, number);
    }

    @Override
    public void connect() throws SQLException {
        transactions.connect();
    }

    @Override
    public void run() {
        Visit visit = new Visit(setting.scale(), random, clock);
        Interaction next = Interaction.HOME;
        while (setting.going().getAsBoolean()) {
            if (next == Interaction.HOME && visit.over(clock)) {
                visit = new Visit(setting.scale(), random, clock);
            }
            if (interact(next, visit)) {
                visit.done(next);
                next = setting.chain().next(next, random);
                think();
            } else {
                // The browser's state and the database's contents may differ now.
                visit = new Visit(setting.scale(), random, clock);
                next = Interaction.HOME;
            }
        }
    }

    private void think() {
        double seconds = Math.min(LONGEST_THINK_SECONDS, -MEAN_THINK_SECONDS * Math.log(1 - random.nextDouble()));
        clock += (long) (seconds * NANOS_PER_SECOND);
    }

    /** @return whether it was completed */
    private boolean interact(Interaction interaction, Visit visit) {
        Optional<InteractionOutcome> outcome = transactions.perform(
                interaction.ordinal(),
                interaction.readOnly(),
                interaction.repeatable(),
                sql -> interactions.run(interaction, visit));
        outcome.ifPresent(done -> {
            setting.tally().committed(interaction, done);
            if (done.emptySearch()) {
                setting.recording().emptySearch(System.nanoTime());
            }
            done.shown().accept(visit);
        });
        return outcome.isPresent();
    }

    @Override
    public void disconnect() {
        transactions.disconnect();
    }
}
