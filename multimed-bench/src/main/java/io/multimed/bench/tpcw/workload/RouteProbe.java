package io.multimed.bench.tpcw.workload;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Choices;
import io.multimed.bench.client.Query;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** One more client, which asks Multimed after each of its read-only interactions where that ran. */
public final class RouteProbe {
    /** The number of interactions of a kind, and how many of them ran on the node in question. */
    public record Asked(int there, int all) {
        private Asked plus(boolean here) {
            return new Asked(there + (here ? 1 : 0), all + 1);
        }
    }

    private static final List<Interaction> ROUND = List.of(
            Interaction.HOME,
            Interaction.BESS,
            Interaction.NEWP,
            Interaction.PROD,
            Interaction.SREQ,
            Interaction.SRES,
            Interaction.CREG,
            Interaction.ORDI,
            Interaction.ORDD);
    /** A round is finished in any case. */
    private static final long ENOUGH_NANOS = 3_000_000_000L;

    private final Transactions.Opening opening;
    private final TpcwScale scale;
    private final BenchmarkDialect dialect;
    private final String node;

    public RouteProbe(Transactions.Opening opening, TpcwScale scale, BenchmarkDialect dialect, String node) {
        this.opening = opening;
        this.scale = scale;
        this.dialect = dialect;
        this.node = node;
    }

    /** Runs rounds of interactions for a few seconds. */
    public Map<Interaction, Asked> ask() throws BenchException, SQLException {
        Map<Interaction, Asked> asked = new EnumMap<>(Interaction.class);
        MeasuredOperations unused = new MeasuredOperations(
                Arrays.stream(Interaction.values())
                        .map(kind -> new MeasuredOperations.Kind(kind.name(), kind.title(), kind.readOnly(), false, 0))
                        .toList(),
                System.nanoTime(),
                1);
        SplittableRandom random = new SplittableRandom(scale.ebs());
        Choices choices = new Choices(random);
        try (Connection connection = opening.open()) {
            Transactions transactions = new Transactions(() -> connection, unused, new TpcwTally(), choices);
            Interactions interactions = new Interactions(transactions.sql(), scale, dialect, choices, 0);
            Visit visit = new Visit(scale, random, 0);
            transactions.connect();
            long began = System.nanoTime();
            while (System.nanoTime() - began < ENOUGH_NANOS) {
                for (Interaction interaction : ROUND) {
                    Optional<InteractionOutcome> done = transactions.perform(
                            interaction.ordinal(),
                            true,
                            interaction.repeatable(),
                            sql -> interactions.run(interaction, visit));
                    if (done.isEmpty()) {
                        throw new BenchException(interaction.title() + " fails when its route is to be asked");
                    }
                    done.get().shown().accept(visit);
                    boolean here = route(connection).startsWith(node + ":");
                    asked.merge(interaction, new Asked(0, 0).plus(here), (one, other) -> one.plus(here));
                }
            }
        }
        return asked;
    }

    private static String route(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        String route = Query.text(connection, "SHOW multimed.route");
        connection.setAutoCommit(false);
        return route;
    }
}
