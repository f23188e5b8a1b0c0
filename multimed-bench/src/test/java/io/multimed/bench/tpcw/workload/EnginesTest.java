package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchDatabase;
import io.multimed.bench.EmbeddedBenchDatabase;
import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.measure.Used;
import io.multimed.bench.report.Run;
import io.multimed.bench.tpcw.check.Invariants;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.check.TpcwExpected;
import io.multimed.bench.tpcw.population.Table;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TPC-W on engines inside this JVM: every interaction runs with the same effects as on PostgreSQL, and the invariants hold. */
@Tag("slow")
class EnginesTest {
    private static final int INTERACTIONS = 2_000;
    private static final int OF_ONE_CLIENT = 800;
    private static final int BEST_SELLERS = 4;
    private static final Set<Integer> TEMPORAL = Set.of(Types.DATE, Types.TIMESTAMP);

    /** A chain without the interactions in which engines choose among equals. */
    private static final Chain DETERMINATE =
            TpcwMix.ORDERING.chain().without(Interaction.BESS).without(Interaction.ADMC);

    /** The effects of one client on a database, and the answers it received. */
    private record Done(Map<String, List<String>> tables, long emptySearches, List<List<Long>> bestSellers) {}

    private static Done onPostgresql;

    @BeforeAll
    static void runOnPostgresql() throws Exception {
        try (BenchDatabase database = new BenchDatabase()) {
            onPostgresql = oneClient(database::open, BenchmarkDialect.POSTGRESQL);
        }
    }

    private static MeasuredOperations recording() {
        MeasuredOperations recording = new MeasuredOperations(
                Arrays.stream(Interaction.values())
                        .map(i -> new MeasuredOperations.Kind(i.name(), i.title(), i.readOnly(), false, 0))
                        .toList(),
                System.nanoTime(),
                600);
        recording.openWindow(System.nanoTime());
        return recording;
    }

    private static EmulatedBrowser.Setting setting(
            Transactions.Opening opening,
            Chain chain,
            BenchmarkDialect dialect,
            MeasuredOperations recording,
            TpcwTally tally,
            AtomicInteger left) {
        return new EmulatedBrowser.Setting(
                opening, chain, BenchDatabase.SCALE, dialect, 1, recording, tally, () -> left.getAndDecrement() > 0);
    }

    private static Done oneClient(Transactions.Opening opening, BenchmarkDialect dialect) throws Exception {
        MeasuredOperations recording = recording();
        EmulatedBrowser client = new EmulatedBrowser(
                setting(opening, DETERMINATE, dialect, recording, new TpcwTally(), new AtomicInteger(OF_ONE_CLIENT)),
                1);
        client.connect();
        client.run();
        client.disconnect();
        recording.closeWindow(System.nanoTime());
        Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
        assertEquals(Map.of(), measured.errors());
        assertEquals(OF_ONE_CLIENT, measured.completed());
        assertEquals(0, measured.retries());
        try (Connection connection = opening.open()) {
            connection.setAutoCommit(false);
            Map<String, List<String>> tables = new TreeMap<>();
            for (Table table : Table.values()) {
                tables.put(table.sqlName(), rows(connection, table.sqlName()));
            }
            return new Done(tables, measured.emptySearches(), bestSellers(connection, dialect));
        }
    }

    /** Returns a table's rows without times of day, which do not depend on the seed. */
    private static List<String> rows(Connection connection, String table) throws SQLException {
        List<String> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
            ResultSetMetaData columns = rows.getMetaData();
            while (rows.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    int type = columns.getColumnType(i);
                    if (type == Types.NUMERIC || type == Types.DECIMAL) {
                        BigDecimal amount = rows.getBigDecimal(i);
                        row.append(amount.stripTrailingZeros().toPlainString()).append('|');
                    } else if (!TEMPORAL.contains(type)) {
                        row.append(rows.getString(i)).append('|');
                    }
                }
                all.add(row.toString());
            }
        }
        return all.stream().sorted().toList();
    }

    /** Returns the number sold of each best seller, best first: among items with equal numbers any may be in the list. */
    private static List<List<Long>> bestSellers(Connection connection, BenchmarkDialect dialect) throws SQLException {
        SplittableRandom random = new SplittableRandom(7);
        Interactions interactions =
                new Interactions(new PreparedSql().use(connection), BenchDatabase.SCALE, dialect, random, 1);
        List<List<Long>> all = new ArrayList<>();
        for (int i = 0; i < BEST_SELLERS; i++) {
            Visit visit = new Visit(BenchDatabase.SCALE, new SplittableRandom(1), 0);
            interactions.run(Interaction.BESS, visit).shown().accept(visit);
            List<Long> sold = new ArrayList<>();
            for (int item : visit.shown()) {
                sold.add(number(connection, "SELECT SUM(ol_qty) FROM order_line WHERE ol_i_id = " + item));
            }
            all.add(sold);
        }
        return all;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"H2, 0", "HSQLDB, 0", "H2, 2", "HSQLDB, 2"})
    void oneClientDoesTheSameAsOnPostgresql(BenchmarkDialect dialect, int replicas) throws Exception {
        try (EmbeddedBenchDatabase database = new EmbeddedBenchDatabase(dialect, replicas)) {
            Done done = oneClient(database::open, dialect);
            onPostgresql
                    .tables()
                    .forEach((table, rows) -> assertEquals(rows, done.tables().get(table), table));
            assertEquals(onPostgresql.emptySearches(), done.emptySearches());
            assertEquals(onPostgresql.bestSellers(), done.bestSellers());
            assertFalse(done.bestSellers().getFirst().isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource({"H2, 0", "HSQLDB, 0", "H2, 2", "HSQLDB, 2"})
    void everyInteractionRunsAndTheInvariantsHold(BenchmarkDialect dialect, int replicas) throws Exception {
        MeasuredOperations recording = recording();
        TpcwTally tally = new TpcwTally();
        AtomicInteger left = new AtomicInteger(INTERACTIONS);
        try (EmbeddedBenchDatabase database = new EmbeddedBenchDatabase(dialect, replicas)) {
            List<Worker> clients = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int number = 1; number <= 6; number++) {
                EmulatedBrowser client = new EmulatedBrowser(
                        setting(database::open, TpcwMix.values()[number % 3].chain(), dialect, recording, tally, left),
                        number);
                client.connect();
                clients.add(client);
                threads.add(Thread.ofPlatform().start(client));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            clients.forEach(Worker::disconnect);
            recording.closeWindow(System.nanoTime());
            Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
            assertEquals(Map.of(), measured.errors());
            assertEquals(INTERACTIONS, measured.completed());
            for (Operation operation : measured.operations()) {
                // The administrator's interactions are too rare to be certain.
                assertTrue(operation.count() > 0 || operation.name().startsWith("ADM"), operation.toString());
            }
            try (Connection connection = database.open()) {
                connection.setAutoCommit(false);
                administer(connection, dialect);
                assertEquals(
                        List.of(),
                        contradicted(
                                connection,
                                database.before,
                                new TpcwExpected(
                                        tally.orders(),
                                        tally.customers(),
                                        tally.addresses(),
                                        0,
                                        BenchDatabase.CLIENTS)));
            }
            assertTrue(tally.orders() > 0 && tally.customers() > 0);
        }
    }

    private static void administer(Connection connection, BenchmarkDialect dialect) throws SQLException {
        SplittableRandom random = new SplittableRandom(1);
        Interactions interactions =
                new Interactions(new PreparedSql().use(connection), BenchDatabase.SCALE, dialect, random, 1);
        Visit visit = new Visit(BenchDatabase.SCALE, random, 0);
        for (Interaction interaction :
                List.of(Interaction.HOME, Interaction.PROD, Interaction.ADMR, Interaction.ADMC)) {
            InteractionOutcome outcome = interactions.run(interaction, visit);
            connection.commit();
            outcome.shown().accept(visit);
        }
    }

    private static List<Run.Check> contradicted(Connection connection, TpcwBefore before, TpcwExpected expected)
            throws SQLException {
        return Invariants.check(connection, before, expected).stream()
                .filter(verdict -> !verdict.holds())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            H2     | growth       | DELETE FROM cc_xacts WHERE cx_o_id = 9
            H2     | lines 1 to n | UPDATE order_line SET ol_id = 9 WHERE ol_id = 1 AND ol_o_id = 9
            H2     | stock        | UPDATE item SET i_stock = i_stock - 1 WHERE i_id = 3
            H2     | named        | UPDATE customer SET c_passwd = 'x' WHERE c_id = 7
            H2     | references   | UPDATE item SET i_related3 = 99999 WHERE i_id = 3
            H2     | references   | UPDATE item SET i_related1 = i_related5 WHERE i_id = 3
            H2     | carts        | INSERT INTO shopping_cart_line VALUES (99, 1, 1)
            HSQLDB | growth       | DELETE FROM cc_xacts WHERE cx_o_id = 9
            HSQLDB | lines 1 to n | UPDATE order_line SET ol_id = 9 WHERE ol_id = 1 AND ol_o_id = 9
            HSQLDB | stock        | UPDATE item SET i_stock = i_stock - 1 WHERE i_id = 3
            HSQLDB | named        | UPDATE customer SET c_passwd = 'x' WHERE c_id = 7
            HSQLDB | references   | UPDATE item SET i_related3 = 99999 WHERE i_id = 3
            HSQLDB | references   | UPDATE item SET i_related1 = i_related5 WHERE i_id = 3
            HSQLDB | carts        | INSERT INTO shopping_cart_line VALUES (99, 1, 1)
            """)
    void whatContradictsAnInvariantIsNoticed(BenchmarkDialect dialect, String invariant, String change)
            throws Exception {
        try (EmbeddedBenchDatabase database = new EmbeddedBenchDatabase(dialect, 0);
                Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            TpcwExpected nothing = new TpcwExpected(0, 0, 0, 0, BenchDatabase.CLIENTS);
            assertEquals(List.of(), contradicted(connection, database.before, nothing), "after loading");
            assertEquals(1, statement.executeUpdate(change));
            List<Run.Check> found = contradicted(connection, database.before, nothing);
            assertTrue(found.stream().anyMatch(verdict -> verdict.invariant().contains(invariant)), found.toString());
        }
    }
}
