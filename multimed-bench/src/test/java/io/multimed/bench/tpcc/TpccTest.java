package io.multimed.bench.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.client.Worker;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Trial;
import io.multimed.bench.tpcc.check.TpccBefore;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcc.workload.TpccMix;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TPC-C on engines inside this JVM: every transaction runs, the conditions hold, and contradictions to them are found. */
@Tag("slow")
class TpccTest {
    private static final TpccScale SCALE = new TpccScale(2, 100);
    private static final int CLIENTS = 4;
    private static final int TRANSACTIONS = 1_500;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static Connection open(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url, "SA", "");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return connection;
    }

    private static List<Run.Check> contradicted(Trial trial, Connection connection) throws SQLException {
        return trial.check(connection).stream()
                .filter(verdict -> !verdict.holds())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:run%d;LOCK_TIMEOUT=10000",
                "jdbc:hsqldb:mem:run%d;hsqldb.tx=mvcc",
                "jdbc:multimed:h2:mem:run%d;LOCK_TIMEOUT=10000;replicas=2",
                "jdbc:multimed:hsqldb:mem:run%d;hsqldb.tx=mvcc;replicas=2"
            })
    void everyTransactionRunsAndTheConditionsHold(String form) throws Exception {
        String url = form.formatted(DATABASES.incrementAndGet());
        Tpcc benchmark =
                new Tpcc(TpccMix.HALF, SCALE, url.contains("h2") ? BenchmarkDialect.H2 : BenchmarkDialect.HSQLDB, 1);
        try (Connection keeper = open(url)) {
            TpccBefore before = benchmark.load(() -> open(url), (what, done, total) -> {});
            Trial trial = benchmark.trial(before, CLIENTS, 1);
            assertEquals(List.of(), contradicted(trial, keeper), "after loading");
            MeasuredOperations recording = new MeasuredOperations(trial.kinds(), System.nanoTime(), 600);
            recording.openWindow(System.nanoTime());
            AtomicInteger left = new AtomicInteger(TRANSACTIONS);
            List<Worker> clients = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int number = 1; number <= CLIENTS; number++) {
                Worker client = trial.client(number, () -> open(url), recording, () -> left.getAndDecrement() > 0);
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
            assertEquals(TRANSACTIONS, measured.completed());
            measured.operations().forEach(operation -> assertTrue(operation.count() > 0, operation.toString()));
            assertEquals(List.of(), contradicted(trial, keeper));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            growth   | INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount) VALUES (1, 1, 1, 1, 1, 0)
            growth   | DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1
            3.3.2.1  | UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 2
            3.3.2.2  | UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 1 AND d_id = 3
            3.3.2.2  | DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 3 AND no_o_id = 30
            3.3.2.3  | DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 3 AND no_o_id = 25
            3.3.2.4  | DELETE FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 1 AND ol_number = 1
            3.3.2.5  | UPDATE orders SET o_carrier_id = NULL WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 1
            3.3.2.6  | UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 1
            3.3.2.7  | UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 1
            3.3.2.8  | DELETE FROM history WHERE h_w_id = 1 AND h_d_id = 1 AND h_c_id = 1
            3.3.2.9  | UPDATE district SET d_ytd = d_ytd + 1 WHERE d_w_id = 1 AND d_id = 3
            3.3.2.10 | UPDATE history SET h_amount = 11 WHERE h_w_id = 1 AND h_d_id = 1 AND h_c_id = 1
            3.3.2.10 | UPDATE customer SET c_balance = c_balance + 1 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 1
            3.3.2.12 | UPDATE customer SET c_ytd_payment = 0 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 1
            """)
    void whatContradictsAConditionIsNoticed(String condition, String change) throws Exception {
        String url = "jdbc:h2:mem:contradicted" + DATABASES.incrementAndGet();
        Tpcc benchmark = new Tpcc(TpccMix.STANDARD, new TpccScale(2, 100), BenchmarkDialect.H2, 1);
        try (Connection keeper = open(url);
                Statement statement = keeper.createStatement()) {
            Trial trial = benchmark.trial(benchmark.load(() -> open(url), (what, done, total) -> {}), 1, 1);
            statement.execute(change);
            List<Run.Check> found = contradicted(trial, keeper);
            assertTrue(
                    found.stream().anyMatch(verdict -> verdict.invariant().startsWith(condition + " ")),
                    found.toString());
        }
    }
}
