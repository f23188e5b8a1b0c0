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
import java.util.Collections;
import java.util.SplittableRandom;

/** One more client, which asks Multimed after each of its Best Sellers where that ran. */
public final class RouteProbe {
    private static final long ENOUGH_NANOS = 3_000_000_000L;

    private RouteProbe() {}

    /** Asks for a few seconds, and returns the share that ran on the node, from 0 to 1. */
    public static double ask(Transactions.Opening opening, TpcwScale scale, BenchmarkDialect dialect, String node)
            throws BenchException, SQLException {
        MeasuredOperations.Kind kind = new MeasuredOperations.Kind("", "", true, false, 0);
        MeasuredOperations unused =
                new MeasuredOperations(Collections.nCopies(Interaction.values().length, kind), System.nanoTime(), 1);
        SplittableRandom random = new SplittableRandom(scale.ebs());
        Choices choices = new Choices(random);
        int all = 0;
        int there = 0;
        try (Connection connection = opening.open()) {
            Transactions transactions =
                    new Transactions(() -> connection, dialect.beginning(), unused, new TpcwTally(), choices);
            Interactions interactions = new Interactions(transactions.sql(), scale, dialect, choices, 0);
            Visit visit = new Visit(scale, random, 0);
            transactions.connect();
            for (long began = System.nanoTime(); System.nanoTime() - began < ENOUGH_NANOS; all++) {
                boolean isDone = transactions
                        .perform(
                                Interaction.BESS.ordinal(),
                                true,
                                Interaction.BESS.repeatable(),
                                sql -> interactions.run(Interaction.BESS, visit))
                        .isPresent();
                if (!isDone) {
                    throw new BenchException("Best Sellers fails when its route is to be asked");
                }
                there += route(connection).startsWith(node + ":") ? 1 : 0;
            }
        }
        return (double) there / all;
    }

    private static String route(Connection connection) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(true);
        String route = Query.text(connection, "SHOW multimed.route");
        connection.setAutoCommit(before);
        return route;
    }
}
