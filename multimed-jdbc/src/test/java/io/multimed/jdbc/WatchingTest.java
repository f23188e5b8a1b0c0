package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values that a database inside the process shows in JMX. */
@Tag("slow")
class WatchingTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final String database = UUID.randomUUID().toString();

    private Connection connect(String engine, String user, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3", user, password);
    }

    private DatabaseMXBean bean(String engine) throws MalformedObjectNameException {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(),
                new ObjectName(
                        "io.multimed:type=Database,name=" + ObjectName.quote("jdbc:" + engine + ":mem:" + database)),
                DatabaseMXBean.class);
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** A condition that becomes true sooner or later. */
    @FunctionalInterface
    private interface Condition {
        boolean isTrue() throws SQLException;
    }

    private static void await(Condition condition) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.isTrue()) {
            assertTrue(System.nanoTime() - deadline < 0, "in time");
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void readsAreCountedByWhereTheyRanAndWaitsByHowLongTheyTook(String engine) throws Exception {
        try (Connection connection = connect(engine, "SA", "")) {
            execute(connection, "CREATE TABLE T(A INT)");
            DatabaseMXBean bean = bean(engine);
            long before = bean.getReadsOnSatellites();
            for (int i = 0; i < 10; i++) {
                assertEquals(0, count(connection, "T"));
            }
            assertEquals(before + 10, bean.getReadsOnSatellites());
            long waits = bean.getFreshnessWaits();
            // Until the reader comes before the applier.
            await(() -> {
                execute(connection, "INSERT INTO T VALUES (1)");
                count(connection, "T");
                return bean.getFreshnessWaits() > waits;
            });
            assertTrue(bean.getFreshnessWaitMedianMicros() > 0);
            assertTrue(bean.getFreshnessWaitP99Micros() >= bean.getFreshnessWaitMedianMicros());
            for (long reads : bean.getReadsOnMaster().values()) {
                assertEquals(0, reads);
            }
            execute(connection, "SHUTDOWN");
        }
    }

    private static int active(DatabaseMXBean bean) {
        int active = 0;
        for (NodeBean node : bean.getNodes()) {
            active += node.getActive();
        }
        return active;
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aConnectionThatIsClosedAmidAReadOnlyTransactionIsActiveNoMore(String engine) throws Exception {
        try (Connection owner = connect(engine, "SA", "")) {
            execute(owner, "CREATE TABLE T(A INT)");
            Connection reader = connect(engine, "SA", "");
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            assertEquals(0, count(reader, "T"));
            assertEquals(1, active(bean(engine)));
            reader.close();
            assertEquals(0, active(bean(engine)));
            execute(owner, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aReadThatTheMasterHadToTakeIsCountedWithTheReason(String engine) throws Exception {
        try (Connection owner = connect(engine, "SA", "")) {
            execute(owner, "CREATE TABLE T(A INT)", "CREATE USER JOE PASSWORD 'a'", "GRANT SELECT ON T TO JOE");
            try (Connection joe = connect(engine, "JOE", "a")) {
                execute(owner, "ALTER USER JOE SET PASSWORD 'b'");
                assertEquals(0, count(joe, "PUBLIC.T"));
                Map<String, Long> reads = bean(engine).getReadsOnMaster();
                assertEquals(1, reads.get("satellites do not let the session in"), reads.toString());
            }
            execute(owner, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aReplicaThatWasChangedBehindTheDriversBackIsShownAndMadeAnew(String engine) throws Exception {
        try (Connection connection = connect(engine, "SA", "");
                CapturedLog log = new CapturedLog()) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY)", "INSERT INTO T VALUES (1), (2), (3)");
            DatabaseMXBean bean = bean(engine);
            await(() -> bean.getRowsCompared() > 0);
            assertEquals(0, bean.getDifferencesFound());
            assertEquals(3, count(connection, "T"));
            ReplicaFaults.change(connection, engine, "DELETE FROM T WHERE A = 2");
            await(() -> bean.getDifferencesFound() == 1
                    && bean.getNodes().stream().allMatch(node -> node.getState().equals("serving")));
            for (int i = 0; i < 1000; i++) {
                assertEquals(3, count(connection, "T"));
            }
            String where = "PUBLIC.T, the row with ";
            assertTrue(bean.getNodes().stream()
                    .anyMatch(node -> node.getEngines() == 2 && node.getDetail().contains(where)));
            assertTrue(shown(connection).contains(where), shown(connection));
            assertTrue(log.text().contains(where), log.text());
            execute(connection, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void nothingIsComparedIfThatIsNotWanted(String engine) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3;comparison=0", "SA", "")) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY)");
            assertTrue(Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread ->
                            thread.getName().equals("multimed-comparison-jdbc:" + engine + ":mem:" + database)));
            execute(connection, "SHUTDOWN");
        }
    }

    @Test
    void aDatabaseThatLivesOnWithoutConnectionsCanBeWatched() throws Exception {
        String url = "jdbc:multimed:h2:mem:" + database + ";DB_CLOSE_DELAY=-1;replicas=3";
        for (int i = 0; i < 3; i++) {
            try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
                execute(connection, "CREATE TABLE T" + i + "(A INT)");
            }
            assertEquals(3, bean("h2").getNodes().size());
            assertEquals(i + 1, bean("h2").getCommitted());
        }
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            execute(connection, "SHUTDOWN");
        }
        assertThrows(UndeclaredThrowableException.class, () -> bean("h2").getNodes());
    }

    private static String shown(Connection connection) throws SQLException {
        StringBuilder details = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet shown = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (shown.next()) {
                details.append(shown.getString("DETAIL")).append('\n');
            }
        }
        return details.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void nodesTellHowFarTheyAreBehindAndWhatAPersonMayWantToKnow(String engine) throws Exception {
        try (Connection connection = connect(engine, "SA", "")) {
            execute(connection, "CREATE TABLE T(A INT)");
            DatabaseMXBean bean = bean(engine);
            // Until the values are read before the appliers have finished.
            await(() -> {
                execute(connection, "INSERT INTO T VALUES (1), (2), (3)");
                return bean.getNodes().stream().anyMatch(node -> node.getRowsBehind() >= 3);
            });
            await(() -> bean.getNodes().stream().allMatch(node -> node.getRowsBehind() == 0));
            assertEquals(3, bean.getNodes().size());
            for (NodeBean node : bean.getNodes()) {
                assertEquals("", node.getDetail());
            }
            try (Statement statement = connection.createStatement();
                    ResultSet shown = statement.executeQuery("SHOW MULTIMED NODES")) {
                assertTrue(shown.next());
                assertEquals(0, shown.getLong("ROWS_BEHIND"));
                assertEquals("", shown.getString("DETAIL"));
            }
            execute(connection, "SHUTDOWN");
        }
    }
}
