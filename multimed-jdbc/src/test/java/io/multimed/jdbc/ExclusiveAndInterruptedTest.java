package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no connection waits without limit for admission, and that an interrupted thread gets the engine's own result. */
@Tag("slow")
public class ExclusiveAndInterruptedTest {
    private static final long HANGS_SECONDS = 40;

    private final String name = UUID.randomUUID().toString().replace("-", "");
    private final ExecutorService callers = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    });

    @AfterEach
    void end() {
        callers.shutdownNow();
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "SA", "");
    }

    private void exclusive(String url) throws SQLException {
        try (Connection first = connect(url)) {
            execute(first, "CREATE TABLE T(A INT)", "SET EXCLUSIVE 1", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(first, "SELECT A FROM T"));
            assertTrue(value(first, "SHOW multimed.route").contains("satellite"));
            execute(first, "CREATE TABLE U AS SELECT * FROM T");
            try (Connection other = connect("jdbc:multimed:h2:mem:o" + name)) {
                assertEquals("0", value(other, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SYNONYMS"));
            }
            SQLException refused = assertThrows(SQLException.class, () -> connect(url));
            assertEquals(ErrorCode.DATABASE_IS_IN_EXCLUSIVE_MODE, refused.getErrorCode(), refused.toString());
            execute(first, "SET EXCLUSIVE 0");
            try (Connection second = connect(url.replace(";EXCLUSIVE=1", ""))) {
                assertEquals("1", value(second, "SELECT A FROM U"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";EXCLUSIVE=1"})
    void anExclusiveDatabase(String option) throws Exception {
        Future<?> life = callers.submit(() -> {
            exclusive("jdbc:multimed:h2:mem:" + name + option + ";replicas=3");
            return null;
        });
        life.get(HANGS_SECONDS, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void literalsAreForbiddenToApplicationsAlone(String replicas) throws SQLException {
        try (Connection connection = connect("jdbc:multimed:h2:mem:" + name + ";replicas=" + replicas)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "SET ALLOW_LITERALS NONE");
            assertEquals("1", value(connection, "SELECT A FROM T"));
            assertThrows(SQLException.class, () -> value(connection, "SELECT A FROM T WHERE A = 1"));
        }
    }

    /** Returns whether the thread is still interrupted after each call, and after all of them. */
    private static List<Boolean> lifeOfAnInterruptedThread(String url) throws SQLException {
        List<Boolean> kept = new ArrayList<>();
        Thread.currentThread().interrupt();
        try (Connection connection = connect(url)) {
            kept.add(Thread.interrupted());
            for (String sql : List.of("CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)")) {
                Thread.currentThread().interrupt();
                execute(connection, sql);
                kept.add(Thread.interrupted());
            }
            Thread.currentThread().interrupt();
            assertEquals("1", value(connection, "SELECT A FROM T"));
            kept.add(Thread.interrupted());
        }
        return kept;
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void anInterruptedThread(String engine) throws Exception {
        Future<List<Boolean>> alone =
                callers.submit(() -> lifeOfAnInterruptedThread("jdbc:" + engine + ":mem:alone" + name));
        Future<List<Boolean>> replicated = callers.submit(
                () -> lifeOfAnInterruptedThread("jdbc:multimed:" + engine + ":mem:" + name + ";replicas=3"));
        assertEquals(alone.get(HANGS_SECONDS, TimeUnit.SECONDS), replicated.get(HANGS_SECONDS, TimeUnit.SECONDS));
    }
}
