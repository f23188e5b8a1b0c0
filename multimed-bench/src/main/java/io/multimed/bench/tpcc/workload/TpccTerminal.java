package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.Choices;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.tpcc.population.TpccScale;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** One terminal without keying and think time: transaction after transaction, each for a warehouse of its own choice. */
public final class TpccTerminal implements Worker {
    /**
     * The common settings of all clients of a run.
     *
     * @param going whether clients are to go on
     */
    public record Setting(
            Transactions.Opening opening,
            TpccMix mix,
            TpccScale scale,
            long seed,
            MeasuredOperations recording,
            TpccTally tally,
            BooleanSupplier going) {}

    private final Setting setting;
    private final RandomGenerator random;
    private final Transactions transactions;
    private final Ordering ordering;
    private final Paying paying;
    private final Looking looking;

    /** @param number from 1 */
    public TpccTerminal(Setting setting, int number) {
        this.setting = setting;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(setting.seed() * 1_000_003 + number);
        Choices choices = new Choices(random);
        this.transactions = new Transactions(setting.opening(), setting.recording(), setting.tally(), choices);
        Customers customers = new Customers(transactions.sql(), setting.scale(), choices);
        this.ordering = new Ordering(transactions.sql(), setting.scale(), choices);
        this.paying = new Paying(transactions.sql(), setting.scale(), choices, customers);
        this.looking = new Looking(transactions.sql(), setting.scale(), choices, customers);
    }

    @Override
    public void connect() throws SQLException {
        transactions.connect();
    }

    @Override
    public void run() {
        while (setting.going().getAsBoolean()) {
            Kind kind = setting.mix().next(random);
            transactions
                    .perform(kind.ordinal(), kind.readOnly(), sql -> perform(kind))
                    .ifPresent(setting.tally()::committed);
        }
    }

    private Done perform(Kind kind) throws SQLException {
        return switch (kind) {
            case NEWO -> ordering.newOrder();
            case PAYM -> paying.payment();
            case ORDS -> looking.orderStatus();
            case DLVY -> ordering.delivery();
            case STOK -> looking.stockLevel();
        };
    }

    @Override
    public void disconnect() {
        transactions.disconnect();
    }
}
