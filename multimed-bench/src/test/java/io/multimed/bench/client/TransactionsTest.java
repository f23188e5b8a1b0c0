package io.multimed.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conflicts as engines inside this JVM report them. */
class TransactionsTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static Connection open(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url, "SA", "");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:conflict%d;LOCK_TIMEOUT=10000",
                "jdbc:hsqldb:mem:conflict%d;hsqldb.tx=mvcc",
                "jdbc:multimed:h2:mem:conflict%d;LOCK_TIMEOUT=10000;replicas=2",
                "jdbc:multimed:hsqldb:mem:conflict%d;hsqldb.tx=mvcc;replicas=2"
            })
    void whoeverChangesWhatAnotherHasChangedSinceBeginsAgain(String form) throws Exception {
        String url = form.formatted(DATABASES.incrementAndGet());
        MeasuredOperations recording = new MeasuredOperations(
                List.of(new MeasuredOperations.Kind("A", "A", false, false, 100)), System.nanoTime(), 600);
        recording.openWindow(System.nanoTime());
        AtomicInteger attempts = new AtomicInteger();
        try (Connection keeper = open(url)) {
            PreparedSql kept = new PreparedSql().use(keeper);
            kept.change("CREATE TABLE counter (id int PRIMARY KEY, n int)");
            kept.change("INSERT INTO counter VALUES (1, 0)");
            Transactions transactions =
                    new Transactions(() -> open(url), recording, new Told(), new Choices(new SplittableRandom(1)));
            transactions.connect();
            Optional<Integer> seen = transactions.perform(0, false, sql -> {
                int n = sql.number("SELECT n FROM counter WHERE id = ?", 1);
                if (attempts.incrementAndGet() == 1) {
                    kept.change("UPDATE counter SET n = n + 10 WHERE id = ?", 1);
                }
                sql.change("UPDATE counter SET n = ? WHERE id = ?", n + 1, 1);
                return n;
            });
            transactions.disconnect();
            assertEquals(Optional.of(10), seen);
            assertEquals(11, kept.number("SELECT n FROM counter WHERE id = ?", 1));
        }
        recording.closeWindow(System.nanoTime());
        Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
        assertEquals(Map.of(), measured.errors());
        assertEquals(1, measured.retries());
    }
}
