package io.multimed.tests.jdbc;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.calls.CallTrace;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A read on replicas inside this process calls few classes and methods of the driver. Each bound is the number reached, with a
 * little room. A change that exceeds it makes every read pay for something that may not concern it.
 */
@Tag("slow")
@Timeout(120)
class CallsOfAnEmbeddedReadTest {
    private static final String URL = "jdbc:multimed:h2:mem:calls;replicas=3";
    private static final int WARMUP = 100;
    private static final int REPETITIONS = 10;

    /** The database ends with its last connection. */
    private static Connection keeper;

    @BeforeAll
    static void create() throws Exception {
        keeper = DriverManager.getConnection(URL, "sa", "");
        try (Statement statement = keeper.createStatement()) {
            statement.execute("CREATE TABLE T (ID INT PRIMARY KEY, V INT)");
            statement.execute("INSERT INTO T VALUES (1, 1)");
        }
    }

    @AfterAll
    static void end() throws Exception {
        keeper.close();
    }

    @Test
    void aReadByAPreparedStatement() throws Exception {
        try (Connection connection = DriverManager.getConnection(URL, "sa", "");
                PreparedStatement statement = connection.prepareStatement("SELECT V FROM T WHERE ID = ?")) {
            assertFew(125, 44, () -> {
                statement.setInt(1, 1);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() && row.getInt(1) == 1;
                }
            });
        }
    }

    @Test
    void aReadByAPlainStatement() throws Exception {
        try (Connection connection = DriverManager.getConnection(URL, "sa", "");
                Statement statement = connection.createStatement()) {
            assertFew(112, 42, () -> {
                try (ResultSet row = statement.executeQuery("SELECT V FROM T WHERE ID = 1")) {
                    return row.next() && row.getInt(1) == 1;
                }
            });
        }
    }

    private static void assertFew(int mostCalls, int mostClasses, Callable<Boolean> read) throws Exception {
        for (int i = 0; i < WARMUP; i++) {
            assertTrue(read.call());
        }
        CallTrace trace = CallTrace.ofFewestOnThisThread(REPETITIONS, read);
        assertAll(
                () -> assertTrue(trace.calls() <= mostCalls, () -> trace.calls() + " calls\n" + trace.tree()),
                () -> assertTrue(
                        trace.classes() <= mostClasses, () -> trace.classes() + " classes\n" + trace.byClass()));
    }
}
