package io.multimed.bench.tpcw.workload;

import io.multimed.bench.measure.Recording;
import io.multimed.bench.tpcw.population.Scale;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * One emulated browser after another, without think time: session after session on one connection until it is told to stop.
 * Runs on a thread of its own.
 */
public final class Client implements Runnable {
    /** SQLSTATEs of transactions that lost a conflict: serialization failure, deadlock. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

    private static final int MOST_ATTEMPTS = 100;
    private static final long PAUSE_MILLIS = 200;

    /**
     * What all clients of a run have in common.
     *
     * @param url of the database
     * @param going whether clients are to go on
     */
    public record Setting(
            String url, Chain chain, Scale scale, long seed, Recording recording, Tally tally, BooleanSupplier going) {}

    private final Setting setting;
    private final int number;
    private final RandomGenerator random;
    private final Choices choices;
    private @Nullable Connection connection;
    private @Nullable Interactions interactions;

    /** @param number from 1, its cart's too */
    public Client(Setting setting, int number) {
        this.setting = setting;
        this.number = number;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(setting.seed() * 1_000_003 + number);
        this.choices = new Choices(random);
    }

    /** Connects; before the clock runs. */
    public void connect() throws SQLException {
        Connection opened = DriverManager.getConnection(setting.url());
        opened.setAutoCommit(false);
        connection = opened;
        interactions = new Interactions(opened, setting.scale(), choices, number);
    }

    @Override
    public void run() {
        Visit visit = new Visit(setting.scale(), random, System.nanoTime());
        Interaction next = Interaction.HOME;
        while (setting.going().getAsBoolean()) {
            if (next == Interaction.HOME && visit.over(System.nanoTime())) {
                visit = new Visit(setting.scale(), random, System.nanoTime());
            }
            if (interact(next, visit)) {
                visit.done(next);
                next = setting.chain().next(next, random);
            } else {
                // What its browser shows and what the database holds may differ now.
                visit = new Visit(setting.scale(), random, System.nanoTime());
                next = Interaction.HOME;
            }
        }
        disconnect();
    }

    /** @return whether it was completed */
    private boolean interact(Interaction interaction, Visit visit) {
        choices.begin();
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                Outcome outcome = transaction(interaction, visit);
                long end = System.nanoTime();
                setting.tally().committed(interaction, outcome);
                setting.recording().completed(interaction.ordinal(), begin, end);
                if (outcome.emptySearch()) {
                    setting.recording().emptySearch(end);
                }
                outcome.shown().accept(visit);
                return true;
            } catch (SQLException e) {
                String state = String.valueOf(e.getSQLState());
                if (e instanceof WrongAnswerException) {
                    setting.tally().wrong();
                }
                if (CONFLICTS.contains(state) && attempt < MOST_ATTEMPTS && rolledBack()) {
                    setting.recording().retried(interaction.ordinal(), System.nanoTime());
                    choices.repeat();
                    continue;
                }
                setting.recording().failed(interaction.ordinal(), state + " " + firstLine(e));
                recover();
                return false;
            }
        }
    }

    private Outcome transaction(Interaction interaction, Visit visit) throws SQLException {
        Connection open = connection;
        Interactions all = interactions;
        if (open == null || all == null) {
            throw new SQLException("not connected", "08003");
        }
        open.setReadOnly(interaction.readOnly());
        long statements = all.statements();
        Outcome outcome = all.run(interaction, visit);
        try {
            open.commit();
        } catch (SQLException e) {
            // A refusal says that it did not commit; a connection that ends says nothing.
            String state = String.valueOf(e.getSQLState());
            if (!interaction.readOnly() && (state.startsWith("08") || state.startsWith("57"))) {
                setting.tally().unanswered();
            }
            throw e;
        }
        // An interaction that asks the database nothing is no transaction there: the driver sends no BEGIN.
        if (all.statements() > statements) {
            setting.recording().committed(System.nanoTime());
        }
        return outcome;
    }

    private boolean rolledBack() {
        try {
            if (connection != null) {
                connection.rollback();
            }
            return connection != null;
        } catch (SQLException e) {
            return false;
        }
    }

    private void recover() {
        if (rolledBack()) {
            return;
        }
        disconnect();
        try {
            Thread.sleep(PAUSE_MILLIS);
            connect();
        } catch (SQLException notYet) {
            connection = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // It is gone either way.
            return;
        } finally {
            connection = null;
        }
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
