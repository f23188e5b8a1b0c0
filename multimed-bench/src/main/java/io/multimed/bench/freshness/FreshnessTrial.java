package io.multimed.bench.freshness;

import io.multimed.bench.client.Query;
import io.multimed.bench.client.Told;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Trial;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * One run. Row 0 is the probe's, the others are their clients'.
 *
 * @param promised the system's guarantee: {@code strong}, {@code session} or {@code eventual}
 */
record FreshnessTrial(
        int clients,
        int updates,
        long seed,
        Told told,
        Commits commits,
        Staleness staleness,
        AtomicReference<String> promised)
        implements Trial {
    static FreshnessTrial of(int clients, int updates, long seed) {
        Commits commits = new Commits(clients + 1);
        return new FreshnessTrial(
                clients, updates, seed, new Told(), commits, new Staleness(commits), new AtomicReference<>("strong"));
    }

    @Override
    public List<MeasuredOperations.Kind> kinds() {
        return List.of(
                new MeasuredOperations.Kind("READ", "one row", true, true, 100 - updates),
                new MeasuredOperations.Kind("UPDATE", "one row", false, false, updates));
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        try (PreparedStatement rows =
                connection.prepareStatement("INSERT INTO freshness SELECT id, 0 FROM generate_series(0, ?) id")) {
            rows.setInt(1, clients);
            rows.executeUpdate();
        }
    }

    @Override
    public Worker client(
            int number, Transactions.Opening opening, MeasuredOperations recording, BooleanSupplier going) {
        Transactions.Opening asking = number > 1
                ? opening
                : () -> {
                    Connection connection = opening.open();
                    promised.set(promised(connection));
                    return connection;
                };
        return new FreshnessClient(number, this, asking, recording, going);
    }

    /** Returns the system's guarantee. A single PostgreSQL does not know the setting, and always shows all commits. */
    private static String promised(Connection connection) {
        try {
            return Query.text(connection, "SHOW multimed.freshness");
        } catch (SQLException unknown) {
            return "strong";
        }
    }

    @Override
    public List<Run.Check> check(Connection master) throws SQLException {
        List<Run.Check> verdicts = new ArrayList<>();
        verdicts.add(new Run.Check("every row holds its last acknowledged commit", wrongRows(master)));
        if ("strong".equals(promised.get())) {
            verdicts.add(none("no read misses a commit acknowledged before it", staleness.stale()));
        }
        if (!"eventual".equals(promised.get())) {
            verdicts.add(none("no session reads behind what it has seen", staleness.backward()));
        }
        return verdicts;
    }

    private static Run.Check none(String invariant, long found) {
        return new Run.Check(invariant, found == 0 ? "" : found + " reads");
    }

    private String wrongRows(Connection master) throws SQLException {
        List<String> wrong = new ArrayList<>();
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, version FROM freshness WHERE id > 0")) {
            while (rows.next()) {
                long last = commits.last(rows.getInt(1));
                // One more version may be there, whose COMMIT was never answered.
                if (rows.getLong(2) < last || rows.getLong(2) > last + 1) {
                    wrong.add("row " + rows.getInt(1) + " is at " + rows.getLong(2) + ", acknowledged was " + last);
                }
            }
        }
        return String.join("; ", wrong);
    }

    @Override
    public List<Figure> figures(Measured measured) {
        return staleness.figures();
    }

    @Override
    public List<String> tables() {
        return List.of("freshness");
    }
}
