package io.multimed.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.bench.BenchDatabase;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The isolation of transactions on a database whose default is read committed. */
class RaisedIsolationTest {
    private static final String LEVEL = "SELECT current_setting('transaction_isolation') WHERE ? = 1";
    /** Number of executions after which pgjdbc prepares statements on the server. */
    private static final int OFTEN = 12;

    private final MeasuredOperations recording = new MeasuredOperations(
            List.of(new MeasuredOperations.Kind("A", "A", true, true, 100)), System.nanoTime(), 600);

    private static Connection open(BenchDatabase database) throws SQLException {
        Connection connection = database.open();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_isolation = 'read committed'");
        }
        return connection;
    }

    private static String level(PreparedSql sql) throws SQLException {
        return sql.only(row -> row.getString(1), LEVEL, 1);
    }

    @Test
    void aRepeatableTransactionIsRaisedWhateverItsFirstStatementIsAndNoOther() throws Exception {
        recording.openWindow(System.nanoTime());
        try (BenchDatabase database = new BenchDatabase()) {
            Transactions transactions =
                    new Transactions(() -> open(database), recording, new Told(), new Choices(new SplittableRandom(1)));
            transactions.connect();
            for (int i = 0; i < OFTEN; i++) {
                assertEquals(
                        Optional.of("repeatable read"),
                        transactions.perform(0, true, true, RaisedIsolationTest::level));
                assertEquals(
                        Optional.of("read committed"),
                        transactions.perform(0, true, false, RaisedIsolationTest::level));
                assertEquals(
                        Optional.of("1 repeatable read"),
                        transactions.perform(
                                0,
                                false,
                                sql -> sql.change("UPDATE item SET i_stock = i_stock WHERE i_id = ?", 1) + " "
                                        + level(sql)));
            }
            transactions.disconnect();
        }
        recording.closeWindow(System.nanoTime());
        assertEquals(Map.of(), recording.measured(Used.NOTHING, Inside.NOTHING).errors());
    }
}
