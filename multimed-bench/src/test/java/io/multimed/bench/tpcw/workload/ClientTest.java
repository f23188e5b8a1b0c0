package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchDatabase;
import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.measure.Used;
import io.multimed.bench.report.Run;
import io.multimed.bench.tpcw.check.Invariants;
import io.multimed.bench.tpcw.check.TpcwExpected;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of all mixes at once against one PostgreSQL: every interaction runs, and the database stays consistent. */
@Tag("slow")
class ClientTest {
    private static final int INTERACTIONS = 4_000;

    @Test
    void everyInteractionRunsAndTheInvariantsHold() throws Exception {
        MeasuredOperations recording = new MeasuredOperations(
                Arrays.stream(Interaction.values())
                        .map(i -> new MeasuredOperations.Kind(i.name(), i.title(), i.readOnly(), false, 0))
                        .toList(),
                System.nanoTime(),
                600);
        recording.openWindow(System.nanoTime());
        TpcwTally tally = new TpcwTally();
        AtomicInteger left = new AtomicInteger(INTERACTIONS);
        try (BenchDatabase database = new BenchDatabase()) {
            List<Thread> threads = new ArrayList<>();
            for (int number = 1; number <= BenchDatabase.CLIENTS; number++) {
                EmulatedBrowser.Setting setting = new EmulatedBrowser.Setting(
                        database::open,
                        TpcwMix.values()[number % 3].chain(),
                        BenchDatabase.SCALE,
                        BenchmarkDialect.POSTGRESQL,
                        1,
                        recording,
                        tally,
                        () -> left.getAndDecrement() > 0);
                EmulatedBrowser client = new EmulatedBrowser(setting, number);
                client.connect();
                threads.add(Thread.ofPlatform().start(client));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            recording.closeWindow(System.nanoTime());
            Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
            assertEquals(Map.of(), measured.errors());
            assertEquals(INTERACTIONS, measured.completed());
            for (Operation operation : measured.operations()) {
                // The administrator's interactions are too rare to be certain.
                assertTrue(operation.count() > 0 || operation.name().startsWith("ADM"), operation.toString());
            }
            try (Connection connection = database.open()) {
                List<Run.Check> verdicts = Invariants.check(
                        connection,
                        database.before,
                        new TpcwExpected(
                                tally.orders(), tally.customers(), tally.addresses(), 0, BenchDatabase.CLIENTS));
                assertEquals(
                        List.of(), verdicts.stream().filter(v -> !v.holds()).toList());
                assertTrue(tally.orders() > 0 && tally.customers() > 0);
            }
        }
    }

    @Test
    void theAdministratorFindsWhatGoesWithAnItem() throws Exception {
        try (BenchDatabase database = new BenchDatabase();
                Connection connection = database.open()) {
            connection.setAutoCommit(false);
            java.util.SplittableRandom random = new java.util.SplittableRandom(1);
            Interactions interactions = new Interactions(
                    new PreparedSql().use(connection), BenchDatabase.SCALE, BenchmarkDialect.POSTGRESQL, random, 1);
            Visit visit = new Visit(BenchDatabase.SCALE, random, 0);
            for (Interaction interaction :
                    List.of(Interaction.HOME, Interaction.PROD, Interaction.ADMR, Interaction.ADMC)) {
                InteractionOutcome outcome = interactions.run(interaction, visit);
                connection.commit();
                outcome.shown().accept(visit);
            }
            List<Run.Check> verdicts =
                    Invariants.check(connection, database.before, new TpcwExpected(0, 0, 0, 0, BenchDatabase.CLIENTS));
            assertEquals(List.of(), verdicts.stream().filter(v -> !v.holds()).toList());
        }
    }
}
